import { pathStart } from "./path-start.ts"

export interface Cors {
  /** Origins that may use everything outside `/v1`, with credentials. */
  readonly origins: readonly string[]
}

const exposed = "X-Request-ID, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
const allowed = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type, Authorization, Idempotency-Key, X-Request-ID",
}

/** `/v1` allows every origin, without credentials; the rest only configured ones (contract A1.11). */
export function corsHeaders(request: Request, { origins }: Cors): Record<string, string> {
  const preflight = request.method === "OPTIONS" ? allowed : {}
  if (isPublicApi(request.url))
    return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": exposed, ...preflight }
  const origin = request.headers.get("origin")
  if (origin === null || !origins.includes(origin)) return {}
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": exposed,
    Vary: "Origin",
    ...(request.method === "OPTIONS"
      ? {
          "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
          "Access-Control-Allow-Headers": "Content-Type, Authorization, Idempotency-Key, X-Request-ID, X-Project-Id",
        }
      : {}),
  }
}

const isPublicApi = (url: string): boolean => url.startsWith("/v1/", pathStart(url))

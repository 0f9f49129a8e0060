import { day } from "../kernel/clock.ts"
import { isObject } from "../kernel/json.ts"
import type { Secret } from "../store/secret.ts"

export const sessionCookie = "mailstead_session"
/** Seven days from login, not extended (contract B8.1). */
export const sessionMs = 7 * day

export interface Session {
  readonly userId: string
  readonly issuedAt: number
}

/** Signed session tokens: JSON Web Tokens (RFC 7519) with HS256. */
export interface Sessions {
  issue(userId: string, now: number): string
  read(token: string, now: number): Session | undefined
}

const header = encode({ alg: "HS256", typ: "JWT" })

export function createSessions(secret: Secret): Sessions {
  const purpose = "session"
  return {
    issue(userId, now) {
      const iat = Math.floor(now / 1000)
      const signed = `${header}.${encode({ sub: userId, iat, exp: iat + sessionMs / 1000 })}`
      return `${signed}.${secret.sign(purpose, signed).toString("base64url")}`
    },
    read(token, now) {
      const [head, body, signature, ...rest] = token.split(".")
      if (head !== header || body === undefined || signature === undefined || rest.length > 0) return undefined
      if (!secret.verify(purpose, `${head}.${body}`, Buffer.from(signature, "base64url"))) return undefined
      const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"))
      if (!isObject(claims) || typeof claims.sub !== "string") return undefined
      const { sub: userId, iat, exp } = claims
      if (typeof iat !== "number" || typeof exp !== "number" || exp * 1000 <= now) return undefined
      return { userId, issuedAt: iat * 1000 }
    },
  }
}

/**
 * The session of a request, if its cookie is valid; ignored beside an Authorization header (contract A1.5.2). Read from
 * the header itself: credentials are checked before Elysia parses the body, where its cookie plugin has not run yet.
 */
export function readSession(request: Request, sessions: Sessions, now: number): Session | undefined {
  if (request.headers.has("authorization")) return undefined
  const cookies = request.headers.get("cookie")
  const token = cookies === null ? null : new Bun.CookieMap(cookies).get(sessionCookie)
  return token ? sessions.read(token, now) : undefined
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

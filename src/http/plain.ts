import { hostNameOf } from "./host.ts"
import type { HttpServerOptions } from "./listen.ts"
import { isLocal } from "./local.ts"

interface PlainDeps {
  /** The answers to challenges of a certificate authority, by their token (RFC 8555, 8.3). */
  readonly challenges: ReadonlyMap<string, string>
  /** The names of this server. */
  readonly names: readonly string[]
  /** The public address, with https. */
  readonly baseUrl: () => string
  /** Whether https is available yet. */
  readonly isSecured: () => boolean
  /** Answers as at the other ports. */
  readonly answer: HttpServerOptions["fetch"]
}

const challengePath = "/.well-known/acme-challenge/"

/**
 * Answers at the port of http: challenges, and on this machine the health of the server; everything else is redirected to
 * https.
 */
export function createPlainAnswer({ challenges, names, baseUrl, isSecured, answer }: PlainDeps) {
  /** The same at the public address; at another name of this server, there. */
  function secured(request: Request, target: string): string {
    const url = new URL(baseUrl())
    const name = hostNameOf(request)
    if (names.includes(name)) url.hostname = name
    return url.origin + target
  }

  return (request: Request, address: string | undefined): Response | Promise<Response> => {
    const target = targetOf(request.url)
    const [path = ""] = target.split("?", 1)
    if (path.startsWith(challengePath)) return challenged(challenges.get(path.slice(challengePath.length)))
    if (path === "/health" && isLocal(request, address)) return answer(request, address)
    if (isSecured()) return text(308, "This server speaks https.", { Location: secured(request, target) })
    return text(503, "This server has no certificate yet. Try again in a minute.", { "Retry-After": "60" })
  }
}

/** Path and query, as they were sent. A request without a host has nothing before them. */
const targetOf = (url: string): string => /^(?:https?:\/\/[^/]*)?(\/.*)$/.exec(url)?.[1] ?? "/"

const challenged = (authorization: string | undefined): Response =>
  authorization === undefined ? text(404, "There is no such challenge.") : text(200, authorization)

const text = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "Content-Type": "text/plain", "Cache-Control": "no-store", ...headers } })

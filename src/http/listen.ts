import type { Server } from "bun"
import { cannotListen, type ListenSettings } from "../net/cannot-listen.ts"

export interface HttpServerOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly settings: ListenSettings
  /** Answers a request that came over this connection; `address` is the peer's. */
  fetch(request: Request, address: string | undefined): Response | Promise<Response>
  /** Speaks TLS with this certificate, on a port that another listener of this process may have too. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export interface HttpServer {
  readonly port: number
  /** Stops accepting, lets running requests finish for at most `graceMs`, then cuts them off. */
  stop(graceMs: number): Promise<void>
  /** Stops accepting; resolves when the last connection is closed, after its request or its idle time. */
  drain(): Promise<void>
}

/** A safeguard far above our own limit, which is the one that answers with the error envelope. */
const hardBodyLimit = 1024 ** 3
/**
 * Longer than proxies keep connections to this server for their next request: Amazon's balancer and nginx 60 seconds, Go and
 * Traefik 90, Caddy 120. Whoever ends them first must be the proxy, because a request that meets their end is lost, and no
 * proxy repeats a POST.
 */
const idleSeconds = 150

/** Listens; the error for a port that cannot be bound names it and the reason. */
export function createHttpServer({ host, port, settings, fetch, tls }: HttpServerOptions): HttpServer {
  let server: Server<undefined>
  try {
    server = Bun.serve({
      hostname: host,
      port,
      idleTimeout: idleSeconds,
      maxRequestBodySize: hardBodyLimit,
      // Bun's error page would show source code.
      development: false,
      // Without it Bun shares the port with any other server that does the same.
      reusePort: tls !== undefined && process.platform !== "win32",
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
      fetch: (request, server) => fetch(request, server.requestIP(request)?.address),
    })
  } catch (cause) {
    throw cannotListen({ protocol: "HTTP", host, port, settings }, cause)
  }
  return {
    port: server.port ?? port,
    async stop(graceMs) {
      const timer = setTimeout(() => void server.stop(true), graceMs)
      await server.stop()
      clearTimeout(timer)
    },
    drain: () => server.stop(),
  }
}

const hasLength =
  /^(?:application\/(?:json|openmetrics-text)|image\/svg\+xml|message\/rfc822|text\/(?:css|html|javascript|plain))\b/

/**
 * Answers `HEAD` as `GET` without a body (contract A1.2.5), except where `differs`: there it is passed on unchanged. The
 * length is that of the body of `GET` (RFC 9110, 8.6) where that is text, which is in memory.
 */
export const withHead =
  <A extends unknown[]>(
    answer: (request: Request, ...rest: A) => Response | Promise<Response>,
    differs: (request: Request) => boolean,
  ) =>
  async (request: Request, ...rest: A): Promise<Response> => {
    if (request.method !== "HEAD" || differs(request)) return answer(request, ...rest)
    const found = await answer(new Request(request.url, { headers: request.headers, signal: request.signal }), ...rest)
    const headers = new Headers(found.headers)
    if (hasLength.test(headers.get("content-type") ?? ""))
      headers.set("Content-Length", String((await found.arrayBuffer()).byteLength))
    // Cancelled, because a stream that nobody reads would continue.
    else await found.body?.cancel()
    return new Response(null, { status: found.status, headers })
  }

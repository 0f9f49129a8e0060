import { type Log, reasonOf } from "../kernel/log.ts"
import type { Certificate, CertificateSource } from "../tls/certificate.ts"
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./listen.ts"

interface HttpsServerOptions extends Pick<HttpServerOptions, "host" | "port" | "settings" | "fetch"> {
  readonly certificates: CertificateSource
  readonly log: Log
}

/**
 * Serves https as soon as there is a certificate. Bun cannot change the certificate of a listener, so each new
 * certificate gets a listener of its own on the same port, while the old one finishes its requests.
 */
export function createHttpsServer({ host, port: wanted, settings, fetch, certificates, log }: HttpsServerOptions) {
  let port = wanted
  let newest: HttpServer | undefined
  const open = new Set<HttpServer>()
  let stopped = false

  function close(server: HttpServer): void {
    void server.drain().then(() => open.delete(server))
  }

  function present(tls: Certificate): void {
    if (stopped) return
    const old = newest
    // On Windows two listeners cannot share a port.
    if (old && process.platform === "win32") close(old)
    try {
      newest = createHttpServer({ host, port, settings, fetch: overHttps(fetch), tls })
      open.add(newest)
      if (old && process.platform !== "win32") close(old)
    } catch (cause) {
      log.error("The new certificate is not in use", { reason: reasonOf(cause) })
    }
  }

  return {
    /** Throws when the port cannot be bound, also when there is no certificate yet. Returns the port. */
    start(): number {
      // Binds the port exclusively for a moment, which fails if another program uses it.
      const probe = createHttpServer({ host, port, settings, fetch: () => new Response(null, { status: 503 }) })
      port = probe.port
      void probe.drain()
      certificates.onCertificate(present)
      return port
    },

    async stop(graceMs: number): Promise<void> {
      stopped = true
      await Promise.all([...open].map((server) => server.stop(graceMs)))
    },
  }
}

/** After a visit by https, browsers use only https for half a year (RFC 6797). */
const strictTransport = "max-age=15552000"

const overHttps =
  (answer: HttpServerOptions["fetch"]): HttpServerOptions["fetch"] =>
  async (request, address) => {
    // The application finds the path behind `http://`. `requireHost` sets the URL again where the request has no host.
    Object.defineProperty(request, "url", { value: request.url.replace(/^https:/, "http:"), configurable: true })
    const response = await answer(request, address)
    response.headers.set("Strict-Transport-Security", strictTransport)
    return response
  }

import { networkInterfaces } from "node:os"
import type { Config } from "../config.ts"
import type { Log } from "../kernel/log.ts"
import type { CertificateSource } from "../tls/certificate.ts"
import { createHttpsServer } from "./https.ts"
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./listen.ts"
import { createPlainAnswer } from "./plain.ts"

/** The ports of https and of http that are bound. */
export interface PublicPorts {
  readonly tls: number
  readonly plain: number
}

interface PublicPortsOptions {
  readonly settings: Config["http"]
  readonly certificates: CertificateSource
  readonly challenges: ReadonlyMap<string, string>
  readonly baseUrl: () => string
  readonly fetch: HttpServerOptions["fetch"]
  readonly log: Log
}

/** Listens for the public on the ports of `http.domains`. */
export function createPublicPorts({ settings, certificates, challenges, baseUrl, fetch, log }: PublicPortsOptions) {
  const host = hostOf(settings.tlsHost)
  const https = createHttpsServer({
    host,
    port: settings.tlsPort,
    settings: named("tls_port"),
    fetch,
    certificates,
    log,
  })
  let http: HttpServer | undefined
  return {
    /** Throws when a port cannot be bound; `stop` closes the other one. */
    start(): PublicPorts {
      const isSecured = () => certificates.current() !== undefined
      const names = settings.domains ?? []
      const answer = createPlainAnswer({ challenges, names, baseUrl, isSecured, answer: fetch })
      http = createHttpServer({ host, port: settings.plainPort, settings: named("plain_port"), fetch: answer })
      return { plain: http.port, tls: https.start() }
    },

    async stop(graceMs: number): Promise<void> {
      await Promise.all([http?.stop(graceMs), https.stop(graceMs)])
    },
  }
}

const named = (port: string) => ({ host: "http.tls_host", port: `http.${port}` })

/** Every address is that of IPv4 on a machine without IPv6. */
function hostOf(host: string): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return host === "::" && !addresses.some(({ family }) => family === "IPv6") ? "0.0.0.0" : host
}

import { type Config, mailHostOf, publicUrl } from "./config.ts"
import type { Engine } from "./engine.ts"
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./http/listen.ts"
import { createPublicPorts, type PublicPorts } from "./http/public-ports.ts"
import { createSmtpPorts, noPorts, type SmtpPorts } from "./inbound/ports.ts"
import type { SmtpService } from "./inbound/types.ts"
import type { Services } from "./modules.ts"
import { createCertificates } from "./tls/certificates.ts"

export interface Listening {
  readonly url: string
  readonly port: number
  /** Those of `http.domains`; undefined without it. */
  readonly publicPorts: PublicPorts | undefined
  readonly smtp: SmtpPorts
}

interface ListenerDeps extends Pick<Services, "dns"> {
  readonly fetch: HttpServerOptions["fetch"]
  readonly smtp: SmtpService | undefined
  /** SMTP takes a free port where the configuration has one. */
  readonly freeSmtpPorts?: true | undefined
}

/** What the ports of the server are bound to; the modules ask before they are. */
export function createBoundPorts({ http }: Config) {
  let ports: { http?: HttpServer; public?: PublicPorts; smtp: () => SmtpPorts } = { smtp: () => noPorts }
  return {
    use(bound: typeof ports): void {
      ports = bound
    },
    smtp: (): SmtpPorts => ports.smtp(),
    baseUrl: (): string => publicUrl(http, ports.http?.port ?? http.port, ports.public?.tls),
  }
}

type BoundPorts = ReturnType<typeof createBoundPorts>

/** Everything that listens: HTTP, for `http.domains` https with its certificate, and SMTP. */
export function createListeners(
  { config, realClock: clock, log, random }: Pick<Engine, "config" | "realClock" | "log" | "random">,
  bound: BoundPorts,
  { dns, fetch, smtp: service, freeSmtpPorts }: ListenerDeps,
) {
  const certificates = createCertificates(config, { dns, clock, log, random })
  const publicPorts =
    certificates.https &&
    createPublicPorts({
      ...certificates,
      ...bound,
      certificates: certificates.https,
      settings: config.http,
      fetch,
      log,
    })
  const smtp =
    service &&
    createSmtpPorts({
      host: config.smtp.host,
      hostname: () => mailHostOf(config.smtp, bound.baseUrl()) ?? "localhost",
      service,
      clock,
      log,
      ports: portsOf(config, freeSmtpPorts),
      certificates: certificates.smtp,
    })
  let http: HttpServer | undefined

  return {
    /** Rejects when a port cannot be bound, or a certificate cannot be used; `stop` closes the others. */
    async start(): Promise<Listening> {
      certificates.open()
      // SMTP first, which makes the project of the sandbox: whoever finds HTTP open can use both (contract A8.4).
      const [started] = await Promise.allSettled([smtp?.start()])
      http = createHttpServer({
        ...config.http,
        settings: { host: "http.host (--host)", port: "http.port (--port)" },
        fetch,
      })
      // The address of SMTP is that of HTTP unless it is set, so a fault of both is told of HTTP.
      if (started.status === "rejected") throw started.reason
      const opened = publicPorts?.start()
      bound.use({ http, ...(opened && { public: opened }), smtp: () => smtp?.bound() ?? noPorts })
      certificates.start()
      return { url: bound.baseUrl(), port: http.port, publicPorts: opened, smtp: started.value ?? noPorts }
    },

    /** Stops accepting, and lets what runs finish for at most `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      await Promise.all([http?.stop(graceMs), publicPorts?.stop(graceMs), smtp?.stop(graceMs), certificates.stop()])
    },
  }
}

/** 0 is off, but in the sandbox, which always takes mail by SMTP, it is a free port. */
function portsOf({ mode, smtp }: Config, freeSmtpPorts: true | undefined) {
  const portOf = (setting: number) => (setting === 0 ? undefined : freeSmtpPorts ? 0 : setting)
  return {
    submission: mode === "sandbox" ? smtp.submissionPort : portOf(smtp.submissionPort),
    secure: portOf(smtp.securePort),
    inbound: portOf(smtp.inboundPort),
  }
}

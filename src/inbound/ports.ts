import type { Clock } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { cannotListen } from "../net/cannot-listen.ts"
import type { Certificate, CertificateSource } from "../tls/certificate.ts"
import { createClientCounts } from "./client-counts.ts"
import { createSmtpListener } from "./listener.ts"
import { createLoginFailures } from "./login-failures.ts"
import type { SmtpListener, SmtpService } from "./types.ts"

/** The ports that are bound; null where nothing listens. */
export interface SmtpPorts {
  /** With STARTTLS where there is a certificate. */
  readonly submission: number | null
  /** With TLS from the first byte. */
  readonly secure: number | null
  readonly inbound: number | null
}

export const noPorts: SmtpPorts = { submission: null, secure: null, inbound: null }

const settingOf: Readonly<Record<keyof SmtpPorts, string>> = {
  submission: "smtp.submission_port (of the sandbox: --smtp-port)",
  secure: "smtp.secure_port",
  inbound: "smtp.inbound_port",
}

interface SmtpPortsOptions {
  readonly host: string
  /** The name in greetings. */
  readonly hostname: () => string
  readonly service: SmtpService
  readonly clock: Clock
  readonly log: Log
  /** The ports to bind, 0 for a free one; undefined: none. */
  readonly ports: Readonly<Partial<Record<keyof SmtpPorts, number | undefined>>>
  /** Without one there is no TLS. */
  readonly certificates: CertificateSource | undefined
}

/**
 * Listens on the configured ports with one service, which tells the uses apart (contract B9.6). Until there is a
 * certificate, STARTTLS is not offered, and the port with TLS from the first byte is not bound.
 */
export function createSmtpPorts({
  host,
  hostname,
  service,
  clock,
  log,
  ports: wanted,
  certificates,
}: SmtpPortsOptions) {
  let bound = noPorts
  let stopped = false
  const listeners: SmtpListener[] = []
  const counts = { clients: createClientCounts(), loginFailures: createLoginFailures(clock) }

  /** What binds ports, one after another; it never rejects. */
  let binding: Promise<unknown> = Promise.resolve()

  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = binding.then(work)
    binding = done.catch(() => {})
    return done
  }

  async function listen(name: keyof SmtpPorts, tls: Certificate | undefined): Promise<number | null> {
    const port = wanted[name]
    if (port === undefined) return null
    const { auth, authWithoutTls } = service
    const listener = createSmtpListener(
      {
        host,
        port,
        hostname: hostname(),
        log,
        clock,
        // Other servers have no login, and those who guess passwords look for one at port 25.
        auth: name === "inbound" ? "none" : auth,
        counts,
        secure: name === "secure",
        ...(authWithoutTls && { authWithoutTls }),
        ...(tls && { tls }),
      },
      await service.receiver(),
    )
    listeners.push(listener)
    try {
      return (await listener.start()).port
    } catch (cause) {
      throw cannotListen(
        { protocol: "SMTP", host, port, settings: { host: "smtp.host", port: settingOf[name] } },
        cause,
      )
    }
  }

  async function present(certificate: Certificate): Promise<void> {
    for (const listener of listeners) listener.setCertificate(certificate)
    if (bound.secure === null && !stopped) bound = { ...bound, secure: await listen("secure", certificate) }
  }

  return {
    /** The ports that are bound now. */
    bound: (): SmtpPorts => bound,

    /** Rejects when a port cannot be bound; `stop` closes those that are. */
    async start(): Promise<SmtpPorts> {
      const tls = certificates?.current()
      bound = await inOrder(async () => ({
        submission: await listen("submission", tls),
        secure: tls ? await listen("secure", tls) : null,
        inbound: await listen("inbound", tls),
      }))
      certificates?.onCertificate((certificate) => {
        inOrder(() => present(certificate)).catch((cause) => log.error(reasonOf(cause)))
      })
      return bound
    },

    async stop(graceMs: number): Promise<void> {
      stopped = true
      // A listener can be closed only once it listens.
      await binding
      await Promise.all(listeners.map((listener) => listener.stop(graceMs)))
    },
  }
}

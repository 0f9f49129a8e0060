import { DomainError } from "../kernel/errors.ts"
import { reasonOf } from "../kernel/log.ts"

interface ListenAddress {
  readonly protocol: "HTTP" | "SMTP"
  readonly host: string
  readonly port: number
  readonly settings: ListenSettings
}

/** The names of the settings for address and port, for messages. */
export interface ListenSettings {
  readonly host: string
  readonly port: string
}

/** The error for a port that cannot be bound: names it, the reason, and what to do. */
export function cannotListen({ protocol, host, port, settings }: ListenAddress, cause: unknown): DomainError {
  const { code = "" } = cause as { code?: string }
  const noSuchAddress = `this machine has no such address. Name one of its own in ${settings.host}.`
  const reasons: Record<string, string> = {
    EACCES: `${reasonOf(cause)}. Ports below 1024 are for root and for the capability CAP_NET_BIND_SERVICE.`,
    EADDRINUSE: `the port is in use. Stop the program that listens there, or name another port in ${settings.port}.`,
    // Error codes of an unknown host name: Bun.serve reports a missing file, or an invalid argument if the system's
    // resolver gives no answer; listeners of node:net report that it is not found.
    ENOENT: noSuchAddress,
    EINVAL: noSuchAddress,
    ENOTFOUND: noSuchAddress,
    EADDRNOTAVAIL: noSuchAddress,
  }
  const reason = reasons[code] ?? reasonOf(cause)
  const use = protocol === "HTTP" ? "" : ` for ${protocol}`
  return new DomainError("unavailable", "PORT_IN_USE", `Cannot listen${use} on ${host}:${port}: ${reason}`)
}

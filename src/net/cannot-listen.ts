import { DomainError } from "../kernel/errors.ts"
import { reasonOf } from "../kernel/log.ts"

export interface Wanted {
  readonly protocol: "HTTP" | "SMTP"
  readonly host: string
  readonly port: number
  /** Where the host is set, as a sentence names it. */
  readonly settings: string
}

/** The error for a port that cannot be bound: names it, the reason, and what to do. */
export function cannotListen({ protocol, host, port, settings }: Wanted, cause: unknown): DomainError {
  const { code = "" } = cause as { code?: string }
  const isForbidden = code === "EACCES"
  const advice = isForbidden ? ". Ports below 1024 are for root and for the capability CAP_NET_BIND_SERVICE." : ""
  // Bun.serve reports an unknown name as a missing file, and a listener of node:net as one that is not found.
  const isElsewhere = ["ENOENT", "ENOTFOUND", "EADDRNOTAVAIL"].includes(code)
  const reason = isElsewhere
    ? `this machine has no such address. Name one of its own in ${settings}.`
    : `${reasonOf(cause)}${advice}`
  const use = protocol === "HTTP" ? "" : ` for ${protocol}`
  return new DomainError("unavailable", "PORT_IN_USE", `Cannot listen${use} on ${host}:${port}: ${reason}`)
}

import { isCertificateFault } from "../../src/kernel/certificate-fault.ts"

/**
 * `reply`: the server refused, with `code`. `closed`: the connection could not be made or has ended. `silent`: no reply
 * in time. `garbled`: what came is no SMTP reply, or not one to the command. `setup`: the server lacks what the URL asks
 * for. `unfit`: the server cannot take this message. `withheld`: the start of the hand-over could not be recorded.
 * `stopped`: the caller wants to stop.
 */
type FailureKind = "reply" | "closed" | "silent" | "garbled" | "setup" | "unfit" | "withheld" | "stopped"

/** Why a session could not be opened or a message was not delivered. The message may hold words of the server. */
export class SmtpFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    words: string,
    /** Of the server's reply. */
    readonly code?: number,
  ) {
    super(words)
  }
}

/** The failure of a socket or a name lookup, in words for an operator. */
export function socketFailure(cause: unknown): SmtpFailure {
  if (cause instanceof SmtpFailure) return cause
  const { code = "", message = String(cause) } = cause as { code?: unknown; message?: string }
  return new SmtpFailure("closed", networkWords(String(code), message))
}

/** What a system's error code means; `message` is used where it says enough. */
export function networkWords(code: string, message: string): string {
  if (code === "ECONNREFUSED") return "connection refused"
  if (isCertificateFault(code)) return `the certificate is not trusted (${message}); ?insecure=true accepts any`
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER")
    return "the server does not speak TLS from the start at this port; for STARTTLS, as at port 587, the URL begins with smtp://"
  if (code.startsWith("ERR_SSL_")) return `no TLS with this server: ${code.slice(8).replaceAll("_", " ").toLowerCase()}`
  return message
}

/** Where TLS is not begun by the client, a server that waits for that says nothing. */
export const noGreeting =
  "no greeting in time; if the server expects TLS from the start, as at port 465, the URL begins with smtps://"

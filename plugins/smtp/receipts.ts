import type { Receipt } from "../../src/mail/transport.ts"
import { deferred, rejected, unknownOutcome, unreachable } from "../../src/mail/transport.ts"

/** The stage of a delivery when it ended. `handed`: its last octets may have reached the server. */
export type Stage = "connecting" | "envelope" | "data" | "handed"

/** A failure of nodemailer's connection; `responseCode` and `response` are set when the server replied. */
export interface SmtpFailure extends Error {
  readonly code?: string | undefined
  readonly originalCode?: string | undefined
  readonly command?: string | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  readonly timeoutType?: string | undefined
}

// Replies about the session, not about the message: log in first, login refused, encryption needed (RFC 4954, 6), and a
// command out of sequence. They concern the setup of this transport, so the mail is deferred until it is corrected.
const setupCodes = new Set([503, 530, 534, 535, 538])

/** The receipt for a failure; `text` makes a reply fit for display. */
export function receiptOf(failure: SmtpFailure, stage: Stage, text: (words: string) => string): Receipt {
  const { responseCode: code } = failure
  const reason = text(wordsOf(failure))
  if (stage === "connecting") return unreachable(reason)
  if (code === undefined || code < 400 || code > 599) return withoutReply(failure, stage, reason)
  if (code === 421 || setupCodes.has(code)) return unreachable(reason)
  return code < 500 ? deferred(reason) : rejected(reason)
}

/** The server gave no reply on the message: it was either certainly not accepted, or the outcome is unknown. */
function withoutReply(failure: SmtpFailure, stage: Stage, reason: string): Receipt {
  if (stage === "handed") return unknownOutcome(`handed over, then no answer: ${reason}`)
  // The start of the hand-over could not be recorded: not a fault of the server.
  if (failure.code === "ESTREAM") return deferred(reason)
  // Refused by the client: larger than the SIZE that the server announced, or an address that it cannot take.
  if (failure.code === "EMESSAGE" || failure.code === "EENVELOPE") return rejected(reason)
  return unreachable(reason)
}

/** What went wrong, in words for an operator. */
export function wordsOf(failure: SmtpFailure): string {
  const { code, originalCode, command, response, timeoutType } = failure
  if (code === "EAUTH")
    return response ? `the server refuses the login: ${response}` : `login failed: ${failure.message}`
  if (code === "ETLS") return response ? `the server does not start TLS: ${response}` : `TLS failed: ${failure.message}`
  if (response) return `${code === "EMESSAGE" ? "end of DATA" : (command ?? "reply")}: ${response}`
  if (code === "EDNS") return `the host name is not found (${originalCode ?? failure.message})`
  if (code === "ETIMEDOUT") return timeouts[timeoutType ?? ""] ?? "the server was silent for too long"
  if (originalCode === "ECONNREFUSED") return "connection refused"
  if (originalCode && certificateFault.test(originalCode)) {
    return `the certificate is not trusted (${failure.message}); ?insecure=true accepts any`
  }
  return failure.message
}

const certificateFault = /CERT|SIGNED|ALTNAME|UNABLE_TO/
const timeouts: Record<string, string> = {
  CONNECT_TIMEOUT: "no connection in time",
  GREETING_TIMEOUT: "no greeting in time",
  UPGRADE_TIMEOUT: "TLS was not set up in time",
}

const longestReason = 400

/** Makes a server's reply fit to be stored: one line, printable, of limited length, without the login. */
export function cleaner(login: { user: string; password: string } | null): (words: string) => string {
  const secrets = login === null ? [] : secretForms(login.user, login.password)
  return (words) => {
    let line = words.slice(0, 20_000)
    for (const secret of secrets) line = line.replaceAll(secret, "***")
    line = line.replace(/[\s\p{C}]+/gu, " ").trim()
    return line.length > longestReason ? `${line.slice(0, longestReason).toWellFormed()}…` : line
  }
}

/** The forms in which a reply could contain the login: plain, and as in the AUTH commands (RFC 4954, RFC 4616). */
function secretForms(user: string, password: string): string[] {
  const encoded = [`\0${user}\0${password}`, password, user].map((text) => Buffer.from(text).toString("base64"))
  // A short user name is a word like "mail": it is not secret, and removing it would make the reply unreadable.
  const plain = user.length >= 8 ? [password, user] : [password]
  return [...encoded, ...plain, encodeURIComponent(password.toWellFormed())].toSorted((a, b) => b.length - a.length)
}

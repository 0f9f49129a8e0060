import { showable } from "../../src/kernel/api-call.ts"
import type { Receipt } from "../../src/mail/transport.ts"
import { deferred, rejected, unknownOutcome, unreachable, withheld } from "../../src/mail/transport.ts"
import type { SmtpFailure } from "./failure.ts"
import { type CleanText, stoppedWords } from "./session.ts"

/** The stage of a delivery when it ended. `handed`: its last octets may have reached the server. */
export type Stage = "connecting" | "envelope" | "data" | "handed"

// Replies about the session, not about the message: log in first, login refused, encryption needed (RFC 4954, 6), and a
// command out of sequence. They concern the setup of this transport, so the mail is deferred until it is corrected.
const setupCodes = new Set([503, 530, 534, 535, 538])

// The quota of the account is used up, in Gmail's words: congestion is temporary, whatever code the reply begins with
// (RFC 3463, 3.5).
const quota = /\b55\d[ -]5\.4\.5\b/

/** The receipt for a failure; `text` makes a reply fit for display. */
export function receiptOf(failure: SmtpFailure, stage: Stage, text: CleanText): Receipt {
  const { code } = failure
  const reason = text(failure.message)
  if (stage === "connecting") return unreachable(reason)
  if (code === undefined || code < 400 || code > 599) return withoutReply(failure, stage, reason)
  if (code === 421 || setupCodes.has(code) || quota.test(failure.message)) return unreachable(reason)
  return code < 500 ? deferred(reason) : rejected(reason)
}

/** The server gave no reply on the message: it was either certainly not accepted, or the outcome is unknown. */
function withoutReply({ kind }: SmtpFailure, stage: Stage, reason: string): Receipt {
  if (stage === "handed") {
    const stopped = kind === "stopped"
    return unknownOutcome(stopped ? stoppedUnanswered : `handed over, then no answer: ${reason}`)
  }
  switch (kind) {
    case "stopped":
      return deferred(stoppedWords)
    case "withheld":
      return withheld(reason)
    case "unfit":
      return rejected(reason)
    default:
      return unreachable(reason)
  }
}

export const stoppedUnanswered = "handed over, then stopped before an answer came"

/** Makes a server's reply fit to be stored: one line, printable, of limited length, without the login. */
export function cleaner(login: { user: string; password: string } | null): CleanText {
  const secrets = login === null ? [] : secretForms(login.user, login.password)
  return (words) => showable(words, secrets)
}

/** The forms in which a reply could contain the login: plain, and as in the AUTH commands (RFC 4954, RFC 4616). */
function secretForms(user: string, password: string): string[] {
  const coded = [`\0${user}\0${password}`, `user=${user}\x01auth=Bearer ${password}\x01\x01`, password, user]
  const encoded = coded.map((text) => Buffer.from(text).toString("base64"))
  // A short user name is a word like "mail": it is not secret, and removing it would make the reply unreadable.
  const plain = user.length >= 8 ? [password, user] : [password]
  return [...encoded, ...plain, encodeURIComponent(password.toWellFormed())].toSorted((a, b) => b.length - a.length)
}

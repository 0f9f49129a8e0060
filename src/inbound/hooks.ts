import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from "smtp-server"
import { reasonOf } from "../kernel/log.ts"
import { isLoopback } from "../kernel/loopback.ts"
import { createLoginFailures } from "./login-failures.ts"
import { type Reply, replyOf } from "./reply.ts"
import { type Peer, type Receiver, type Refused, refused, type SmtpListenerOptions } from "./types.ts"

/** The number of failed logins after which a connection is closed. */
const maxLoginFailures = 5

/** The parameters of MAIL FROM that EHLO offers (RFC 1870, 6152, 6531). Without DSN, RCPT TO has none. */
const offeredParameters = ["SIZE", "BODY", "SMTPUTF8"]

/** Commands of the package that are never offered: those for proxies, and obsolete ones of sendmail. */
const neverCommands = ["XCLIENT", "XFORWARD", "WIZ", "SHELL", "KILL"]

const wrongCredentials = refused(535, "5.7.8", "Wrong user name or password")
const loginOutOfOrder = refused(454, "4.7.0", "Login is not possible at the moment, try again later")
const tooManyLogins = refused(421, "4.7.0", "Too many failed logins")
const loginFirst = refused(530, "5.7.0", "Log in first")
const tlsFirst = refused(530, "5.7.0", "Say STARTTLS, then log in")
const unknownParameter = refused(555, "5.5.4", "A parameter of this command is not known here")
const failure = refused(451, "4.3.0", "Something went wrong here, try again later")

interface Hooks {
  connect(session: SMTPServerSession, done: () => void): void
  auth: NonNullable<SMTPServerOptions["onAuth"]>
  mailFrom: NonNullable<SMTPServerOptions["onMailFrom"]>
  recipient: NonNullable<SMTPServerOptions["onRcptTo"]>
  /** Hands a complete message over; resolves to the reply. Never rejects. */
  deliver(session: SMTPServerSession, raw: Uint8Array): Promise<Reply>
}

/** The callbacks of the package for each step of a conversation, based on the options and the receiver. */
export function createHooks<Session>(
  options: SmtpListenerOptions,
  receiver: Receiver<Session>,
  hasCertificate: () => boolean,
): Hooks {
  const log = options.log.with({ listener: options.port })
  const logins = new WeakMap<SMTPServerSession, { session: Session }>()
  const recentFailures = options.counts?.loginFailures ?? createLoginFailures(options.clock)
  const failures = new WeakMap<SMTPServerSession, number>()

  /** A client that has logged in may name the author, and AUTH is not offered to it any more (RFC 4954, 5). */
  const mailParameters = options.auth === "none" ? offeredParameters : [...offeredParameters, "AUTH"]

  const peerOf = (session: SMTPServerSession): Peer<Session> => ({
    // The package resets its user on STARTTLS, and so do we.
    session: session.user ? logins.get(session)?.session : undefined,
    remoteAddress: session.remoteAddress,
    helo: session.hostNameAppearsAs || "",
    secure: session.secure,
  })
  const report = (step: string, cause: unknown) => log.error(`smtp ${step} failed`, { reason: reasonOf(cause) })

  return {
    connect(session, done) {
      session.disabledCommands = [
        ...neverCommands,
        ...(mayLogIn(options, session) ? [] : ["AUTH"]),
        ...(hasCertificate() ? [] : ["STARTTLS"]),
      ]
      done()
    },

    auth({ username, password }, session, callback) {
      if (!recentFailures.take(session.remoteAddress)) return callback(asError(tooManyLogins))
      settle(
        () => receiver.authenticate?.(username ?? "", password ?? "", peerOf(session)),
        (login) => {
          if (login !== undefined) {
            recentFailures.clear(session.remoteAddress)
            logins.set(session, { session: login })
            return callback(null, { user: username || "anonymous" })
          }
          const count = (failures.get(session) ?? 0) + 1
          failures.set(session, count)
          callback(asError(count < maxLoginFailures ? wrongCredentials : tooManyLogins))
        },
        (cause) => {
          recentFailures.clear(session.remoteAddress)
          report("login", cause)
          callback(asError(loginOutOfOrder))
        },
      )
    },

    mailFrom({ args }, session, callback) {
      if (hasOthers(args, mailParameters)) return callback(asError(unknownParameter))
      if (options.auth !== "required" || session.user) return callback()
      callback(asError(mayLogIn(options, session) ? loginFirst : tlsFirst))
    },

    recipient({ address, args }, session, callback) {
      if (hasOthers(args, [])) return callback(asError(unknownParameter))
      settle(
        () => receiver.recipient?.(address, senderOf(session), peerOf(session)),
        (refusal) => callback(refusal === undefined ? null : asError(refusal)),
        (cause) => {
          report("recipient check", cause)
          callback(asError(failure))
        },
      )
    },

    async deliver(session, raw) {
      try {
        const verdict = await receiver.receive({
          ...peerOf(session),
          mailFrom: senderOf(session),
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          smtputf8: session.envelope.smtpUtf8 ?? false,
        })
        return verdict.outcome === "accepted" ? { code: 250, text: `2.0.0 ${verdict.text}` } : replyOf(verdict)
      } catch (cause) {
        report("delivery", cause)
        return replyOf(failure)
      }
    },
  }
}

/** AUTH sends the password in plain text, so it requires TLS or a connection within this machine (contract B9.6). */
function mayLogIn({ auth, authWithoutTls = "loopback" }: SmtpListenerOptions, session: SMTPServerSession): boolean {
  if (auth === "none") return false
  if (session.secure || authWithoutTls === "anyone") return true
  return authWithoutTls === "loopback" && isLoopback(session.remoteAddress)
}

/** Whether there are parameters that the server does not know, and so refuses (RFC 5321, 4.1.1.11). */
const hasOthers = (args: SMTPServerAddress["args"], known: readonly string[]): boolean =>
  args !== false && Object.keys(args).some((name) => !known.includes(name))

const senderOf = ({ envelope }: SMTPServerSession): string => (envelope.mailFrom ? envelope.mailFrom.address : "")

function asError(refusal: Refused): Error {
  const { code, text } = replyOf(refusal)
  return Object.assign(new Error(text), { responseCode: code })
}

/**
 * Calls `ask` and continues synchronously if it answers synchronously: an extra turn of the event loop per command
 * costs throughput.
 */
function settle<T>(ask: () => T | Promise<T>, then: (answer: T) => void, failed: (cause: unknown) => void): void {
  let answer: T | Promise<T>
  try {
    answer = ask()
  } catch (cause) {
    failed(cause)
    return
  }
  if (answer instanceof Promise) answer.then(then, failed)
  else then(answer)
}

import type { Clock } from "../kernel/clock.ts"
import type { Log } from "../kernel/log.ts"
import type { ClientCounts } from "./client-counts.ts"
import type { LoginFailures } from "./login-failures.ts"

/** The client of a connection. */
export interface Peer<Session> {
  /** Whatever `authenticate` resolved to; undefined for a client that did not log in. */
  readonly session: Session | undefined
  /** Without the `::ffff:` of a mapped IPv4 address. */
  readonly remoteAddress: string
  /** The argument of EHLO or HELO in lower case; not verified. */
  readonly helo: string
  readonly secure: boolean
}

/** One message as received, complete and within the limits. */
export interface Received<Session> extends Peer<Session> {
  /** Empty for the null sender of a delivery report. */
  readonly mailFrom: string
  /** In order, each once (compared without case), domains in Unicode form. Syntax is checked loosely: parse them. */
  readonly recipients: readonly string[]
  /**
   * The content between DATA and CRLF.CRLF, dots unstuffed, otherwise unchanged: it may contain bare CR or LF. The
   * receiver owns it.
   */
  readonly raw: Uint8Array
  /** The client announced SMTPUTF8 (RFC 6531): headers and addresses may be raw UTF-8. */
  readonly smtputf8: boolean
}

/** A negative SMTP reply: 4xx is temporary, 5xx permanent, with an enhanced code (RFC 3463). */
export interface Refused {
  readonly outcome: "refused"
  readonly code: number
  readonly enhanced: string
  /** One line, shown to the client. */
  readonly text: string
}

/** The message is stored durably. `text` follows `250 2.0.0`. */
export interface Accepted {
  readonly outcome: "accepted"
  readonly text: string
}

export const accepted = (text: string): Accepted => ({ outcome: "accepted", text })
export const refused = (code: number, enhanced: string, text: string): Refused => ({
  outcome: "refused",
  code,
  enhanced,
  text,
})

type Eventually<T> = T | Promise<T>

/**
 * Receives the mail of the listener. When one of these throws or rejects, the cause is logged, and the client gets a
 * temporary failure without it.
 */
export interface Receiver<Session> {
  /** Resolves to undefined for wrong credentials (535 5.7.8). Required unless `auth` is `none`. */
  authenticate?(user: string, password: string, peer: Peer<Session>): Eventually<Session | undefined>
  /** Called at each RCPT TO; undefined accepts the recipient. */
  recipient?(address: string, mailFrom: string, peer: Peer<Session>): Eventually<Refused | undefined>
  /** Resolves once the message is stored, because the client deletes it on the reply. */
  receive(message: Received<Session>): Promise<Accepted | Refused>
}

export interface SmtpListenerOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The server's name in the greeting. */
  readonly hostname: string
  /** The largest message after unstuffing. Default 40 MB. */
  readonly maxBytes?: number
  /**
   * Bytes of messages in flight over all connections. Beyond it messages without progress are ended, and where there is none
   * it is 452 4.3.1. Default four messages of `maxBytes`.
   */
  readonly maxBufferedBytes?: number
  /** Default 100. */
  readonly maxRecipients?: number
  /** Concurrent connections; a further one replaces one without progress, or gets 421. Default 200. */
  readonly maxClients?: number
  /** Concurrent connections from one address, or one IPv6 network of 64 bits. Default a quarter of `maxClients`. */
  readonly maxClientsPerAddress?: number
  /** How long to wait for the next command of a client before it gets 421. Default 5 minutes (RFC 5321, 4.5.3.2.7). */
  readonly idleTimeoutMs?: number
  /** PEM. With it STARTTLS is offered, or TLS from the first byte when `secure`. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly secure?: boolean
  readonly auth: "required" | "optional" | "none"
  /** Who may log in over a connection without TLS. Default `loopback`. */
  readonly authWithoutTls?: "loopback" | "anyone" | "nobody"
  /** What is counted over several listeners; by default each counts for itself. */
  readonly counts?: { readonly clients: ClientCounts; readonly loginFailures: LoginFailures }
  readonly log: Log
  readonly clock: Clock
}

export interface SmtpListener {
  /** Resolves with the bound port; rejects when it cannot be bound. */
  start(): Promise<{ port: number }>
  /**
   * Stops accepting, disconnects idle clients (421) and finishes messages in transfer for up to `graceMs`; unfinished
   * ones are cut off and not stored.
   */
  stop(graceMs: number): Promise<void>
  /** For connections from now on, which are offered STARTTLS; those that are open keep theirs. */
  setCertificate(certificate: { readonly cert: string; readonly key: string }): void
}

/**
 * What a module contributes to a listener: the rules for logging in, and the receiver, created when the port is opened.
 */
export interface SmtpService extends Pick<SmtpListenerOptions, "auth" | "authWithoutTls"> {
  receiver(): Promise<Receiver<string>>
}

/**
 * The types that a transport plugin is written against: one file without imports, printed by `mailstead help transport`.
 * Save it beside a plugin and import from it what the plugin needs. A plugin is a `.ts` or `.js` file whose default export
 * is a `TransportPlugin`; the configuration names it by its absolute path, for example
 * `mail.url = "plugin:/etc/mailstead/my-transport.ts?any=option"`.
 */

/** An address with the name it is shown under; the name is empty when there is none. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

export type Disposition = "attachment" | "inline" | "alternative" | "body"

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
  /** Set on parts that the HTML shows by `cid:`. */
  readonly contentId: string | null
  /**
   * `alternative`: another form of the body beside text and HTML, such as an invitation (RFC 2046, 5.1.4). `body`: the
   * complete MIME body with its `Content-` fields, for transports that send MIME; text, HTML and the other attachments
   * have the same content, for those that do not.
   */
  readonly disposition: Disposition
}

/** One composed message, ready to be handed over: nothing may be added to it. */
export interface Outgoing {
  /** The email id: the same on every attempt, so it serves providers as an idempotency key. */
  readonly id: string
  readonly projectId: string
  /** `bulk` for campaign and marketing mail: providers have separate streams for it. */
  readonly stream: "transactional" | "bulk"
  /** RFC 5321 envelope. One recipient. */
  readonly envelope: { readonly from: string; readonly to: string }
  readonly from: Mailbox
  readonly to: Mailbox
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Headers beside those above, in order, free of CR, LF and NUL. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly attachments: readonly Attachment[]
  /** Without angle brackets. */
  readonly messageId: string
  /** The RFC 5322 message with CRLF lines; composed on the first call, the same bytes on every call. */
  mime(): Uint8Array
  /** The same bytes. Signing runs on another thread, so it does not block the event loop. */
  bytes(): Promise<Uint8Array>
  /**
   * Await this immediately before sending what completes the message, after which the other side could deliver it. It
   * resolves once the start of the hand-over is recorded, and rejects when the message must not be sent now; the
   * receipt is then `deferred` and `withheld`. After a crash, bulk mail whose hand-over has begun is not sent again, nor
   * after a power failure if it may have begun; all other mail is. May be called more than once.
   */
  begin(): Promise<void>
  /** Reverts `begin` before another transport is tried. Called by the server, not by plugins. */
  retract?(): Promise<void>
}

/**
 * The outcome of one hand-over. `unknown`: the connection failed after the message was handed over, so the other side
 * may or may not have it. Transactional mail is then sent again with the same Message-ID; bulk mail is not (contract
 * B1.6.6).
 */
export type Receipt =
  | { readonly outcome: "sent"; readonly providerId: string | null }
  | {
      readonly outcome: "deferred"
      readonly reason: string
      /** The earliest time of the next attempt, in ms since the epoch. */
      readonly retryAt?: number
      /** The other side could not be used at all, so nothing follows for the message: the next transport is tried. */
      readonly unreachable?: true
      /** The account may not send before `retryAt`. This does not count as an attempt of the message. */
      readonly uncounted?: true
      /** `begin` has rejected, so the other side has not been given the message. Says nothing about the transport. */
      readonly withheld?: true
    }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly reason: string }

/** Longer ids are those of no provider, and are not kept. */
const longestProviderId = 1_000

export const sent = (providerId: string | null): Receipt => ({
  outcome: "sent",
  providerId: providerId !== null && providerId.length <= longestProviderId ? providerId : null,
})
export const deferred = (reason: string, retryAt?: number): Receipt =>
  retryAt === undefined ? { outcome: "deferred", reason } : { outcome: "deferred", reason, retryAt }
export const spent = (reason: string, retryAt: number): Receipt => ({
  outcome: "deferred",
  reason,
  retryAt,
  uncounted: true,
})
export const withheld = (reason: string): Receipt => ({ outcome: "deferred", reason, withheld: true })
export const unreachable = (reason: string): Receipt => ({ outcome: "deferred", reason, unreachable: true })
export const rejected = (reason: string): Receipt => ({ outcome: "rejected", reason })
export const unknownOutcome = (reason: string): Receipt => ({ outcome: "unknown", reason })

/**
 * Names of the tags under which a provider receives the ids of a message and of its project, and returns them in its
 * reports. For a provider that the server does not support, a program of your own can receive the reports and post them
 * to `/webhooks/postmark` in Postmark's format, with the email id as this tag in `Metadata` (contract B9.1.2, B9.2).
 */
export const emailTag = "mailstead-email"
export const projectTag = "mailstead-project"

export interface TransportLimits {
  /** The most messages per second; absent when the transport has no limit of its own. */
  readonly perSecond?: number
  /** The most concurrent calls of `send`. */
  readonly concurrency: number
  /** Additional calls while calls are quick, so that their messages are prepared before a connection is free. */
  readonly ahead?: number
  /** The most messages per call of `send`. */
  readonly batch: number
}

export type TellReceipt = (message: Outgoing, receipt: Receipt) => void

/** Hands mail to one server or provider. */
export interface Transport {
  /**
   * Shown in logs and metrics. Sender domains are registered once per name, so accounts with separate sender domains
   * need different names.
   */
  readonly name: string
  readonly limits: TransportLimits
  /**
   * Hands the batch over and resolves with one receipt per message, in order. Refusals and network faults are receipts;
   * it rejects only on a programming error, and the whole batch then counts as unknown. When `abort` fires, it defers
   * messages that are not handed over yet and settles promptly. `tell` is used by the server itself: a transport made
   * of several calls it with each receipt as soon as that is known.
   */
  send(messages: readonly Outgoing[], abort: AbortSignal, tell?: TellReceipt): Promise<Receipt[]>
  /**
   * Called once at start; rejects with a reason that an operator can act on. Must succeed while the other side is down.
   */
  check?(): Promise<void>
  /**
   * Connects, starts TLS and logs in as for a message, but sends none. Rejects with a reason that an operator can act
   * on.
   */
  verify?(abort: AbortSignal): Promise<void>
  close(): Promise<void>
  /** Closes idle connections; new ones may be opened afterwards. Called only for `threaded` plugins. */
  closeIdle?(): Promise<void>
  /**
   * Whether `send` itself calls `begin` of each message. Otherwise `begin` is called for the whole batch before `send`.
   */
  readonly beginsEach?: true
  /** Whether handing a message over twice is harmless, because none leaves this machine. `begin` is then not called. */
  readonly repeatable?: true
  /** For built-in transports only: whether `send` takes messages that are composed when they are handed over. */
  readonly takesLazy?: true
  /** For a provider at which sender domains must be registered. */
  readonly identity?: TransportIdentity
}

/**
 * Sender domains at a provider that requires them to be registered (contract B6). Domains are in lower case and in
 * `xn--` form. Every method rejects with an Error when the provider cannot be reached or `abort` fires first; the
 * stored state then stays.
 */
export interface TransportIdentity {
  /**
   * Registers the domain together with a mark (a UUID), or finds it registered. May be called repeatedly. It is called
   * again when `read` returns FAILED, so that a provider that has stopped looking for records looks again.
   */
  register(domain: string, abort: AbortSignal, mark: string): Promise<DomainIdentity>
  /** The present state at the provider; undefined when the domain is not registered there. */
  read(domain: string, abort: AbortSignal): Promise<DomainIdentity | undefined>
  /** Also resolves when the domain was not registered. */
  remove(domain: string, abort: AbortSignal): Promise<void>
}

export interface DomainIdentity {
  /**
   * The mark that the domain was registered with; null when it was registered by other means. Only the mark shows that
   * the registration belongs to the domain as it was added here, and not to anybody else who uses the account.
   */
  readonly mark: string | null
  readonly status: IdentityStatus
  /** Shown as the domain's `dkimTokens`. */
  readonly dkimTokens: readonly string[]
  /** The DNS records that the owner of the domain publishes, in the order in which they are shown. */
  readonly records: readonly IdentityRecord[]
}

export type IdentityStatus = "PENDING" | "VERIFIED" | "FAILED"

export interface IdentityRecord {
  readonly purpose: "DKIM" | "SPF" | "RETURN_PATH" | "DMARC" | "INBOUND"
  readonly type: "CNAME" | "TXT" | "MX"
  /** The full name, without a trailing dot. */
  readonly name: string
  readonly value: string
  /** For MX records only. */
  readonly priority?: number
  /** Whether the provider refuses to send until it has found this record. */
  readonly required: boolean
  /** The provider's result for this record; absent when the provider has no results for single records. */
  readonly status?: IdentityStatus
}

/** A structured log: values go into `fields`, not into the text. Never pass passwords, tokens or message bodies. */
export interface TransportLog {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What a plugin gets from the server. */
export interface TransportTools {
  /** Secrets of the transport URL are removed from messages and fields. */
  readonly log: TransportLog
  /** Environment variables of the process, for credentials that are conventionally set there. */
  env(name: string): string | undefined
  readonly clock: TransportClock
}

export interface TransportClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or as soon as `abort` fires; never rejects. */
  sleep(ms: number, abort: AbortSignal): Promise<void>
}

/** The default export of a plugin file. `url` is the operator's transport URL, options in its query (contract A8.2). */
export interface TransportPlugin {
  /** URL schemes without the colon, for example `["smtp", "smtps"]`. Ignored for `plugin:` files. */
  readonly schemes: readonly string[]
  /** Rejects with a reason that an operator can act on. Must succeed while the other side is down, as `check`. */
  create(url: URL, tools: TransportTools): Transport | Promise<Transport>
  /**
   * For built-in plugins only: much bulk mail is sent by a thread, which calls `create` with the same URL. Requires
   * batches of one message.
   */
  readonly threaded?: true
}

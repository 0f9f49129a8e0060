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
   * `alternative`: a form of the body, such as an invitation, beside text and HTML (RFC 2046, 5.1.4). `body`: the whole body
   * of the MIME message, with the fields that describe it; text, HTML and the other parts say the same to who needs them.
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
  /** The same, signed on another thread: while it is, the server does other work. */
  bytes(): Promise<Uint8Array>
  /**
   * To be awaited just before the other side has all of the message and could deliver it: it resolves when it is on record
   * that the hand-over has begun, and rejects when the message may not leave now, which is a deferral. Bulk mail whose
   * hand-over had begun at a crash, or may have at a power failure, is not sent again; the rest is. May be called again.
   */
  begin(): Promise<void>
  /** Takes `begin` back before another transport is tried. Called by the server, not by plugins. */
  retract?(): Promise<void>
}

/**
 * What became of one hand-over. `unknown`: the connection died after the message was handed over, so the other side may or
 * may not have it. Transactional mail is then tried again under the same Message-ID, bulk mail never is (contract B1.6.6).
 */
export type Receipt =
  | { readonly outcome: "sent"; readonly providerId: string | null }
  | {
      readonly outcome: "deferred"
      readonly reason: string
      /** Not tried again before this, in ms since the epoch. */
      readonly retryAt?: number
      /** The other side could not be used at all, so the message was not judged: the next transport may be tried. */
      readonly unreachable?: true
      /** The account may send no more before `retryAt`, which no message is to blame for: none of its attempts is used up. */
      readonly uncounted?: true
    }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly reason: string }

export const sent = (providerId: string | null): Receipt => ({ outcome: "sent", providerId })
export const deferred = (reason: string, retryAt?: number): Receipt =>
  retryAt === undefined ? { outcome: "deferred", reason } : { outcome: "deferred", reason, retryAt }
export const spent = (reason: string, retryAt: number): Receipt => ({
  outcome: "deferred",
  reason,
  retryAt,
  uncounted: true,
})
export const unreachable = (reason: string): Receipt => ({ outcome: "deferred", reason, unreachable: true })
export const rejected = (reason: string): Receipt => ({ outcome: "rejected", reason })
export const unknownOutcome = (reason: string): Receipt => ({ outcome: "unknown", reason })

/**
 * The tags by which a provider gives the ids of a message, and of its project, back in its reports. What receives the reports
 * of a provider that the server does not know can post them to its `/webhooks/postmark` in the form of Postmark, with the
 * email id as this tag in `Metadata` (contract B9.1.2, B9.2): so bounces and complaints have their effects.
 */
export const emailTag = "mailstead-email"
export const projectTag = "mailstead-project"

export interface TransportLimits {
  /** Messages per second that the transport takes; absent for no limit of its own. */
  readonly perSecond?: number
  /** Calls of `send` under way at once. */
  readonly concurrency: number
  /** Calls beyond those, while calls are quick: their messages are prepared until a connection is free. */
  readonly ahead?: number
  /** Messages per call of `send`. */
  readonly batch: number
}

export type TellReceipt = (message: Outgoing, receipt: Receipt) => void

/** Hands mail to one server or provider. */
export interface Transport {
  /** In logs and figures. Sender domains are set up once for each name, so it tells accounts apart that know different ones. */
  readonly name: string
  readonly limits: TransportLimits
  /**
   * Hands the batch over and resolves with one receipt per message, in order. Refusals and network faults are receipts; it
   * rejects only on a programming error, and the whole batch then counts as unknown. When `abort` fires, it defers what is
   * not handed over yet and settles promptly. `tell` is for the server, which tries several transports: it is called with
   * receipts before the last one is there.
   */
  send(messages: readonly Outgoing[], abort: AbortSignal, tell?: TellReceipt): Promise<Receipt[]>
  /** Called once at start: rejects with a reason an operator can act on. Must not need the other side to be up. */
  check?(): Promise<void>
  /** Connects, encrypts and logs in as for a message, but sends none. Rejects with a reason an operator can act on. */
  verify?(abort: AbortSignal): Promise<void>
  close(): Promise<void>
  /** Ends the connections that no message needs now. Others may be opened afterwards. Called of `threaded` plugins only. */
  closeIdle?(): Promise<void>
  /** Whether `send` calls `begin` of each message in its time. Otherwise all of a batch have begun before `send` is called. */
  readonly beginsEach?: true
  /**
   * Whether a message may be handed over again, because none leaves. Then `begin` is not called, and nothing of it is
   * recorded.
   */
  readonly repeatable?: true
  /** For built-in transports only: whether `send` takes messages that are composed when they are handed over. */
  readonly takesLazy?: true
  /** For a provider at which sender domains are set up. */
  readonly identity?: TransportIdentity
}

/**
 * Sender domains at a provider that wants to know them before it sends for them (contract B6). Domains are in lower case and
 * in `xn--` form. Every method rejects with an Error when the provider cannot be asked: the stored state then stays. So it does
 * when `abort` fires before there is an answer.
 */
export interface TransportIdentity {
  /**
   * Registers the domain with a mark (a UUID) that is kept beside it, or finds it registered; may be called again at any time.
   * Called again for what `read` tells as FAILED: a provider that has stopped looking for records is told to look again.
   */
  register(domain: string, abort: AbortSignal, mark: string): Promise<DomainIdentity>
  /** What the provider says now; undefined when the domain is not registered there. */
  read(domain: string, abort: AbortSignal): Promise<DomainIdentity | undefined>
  /** Resolves also when the domain was not registered. */
  remove(domain: string, abort: AbortSignal): Promise<void>
}

export interface DomainIdentity {
  /**
   * What it was registered with: null when it was there before. The owner of an account may have registered any domain there,
   * so this alone tells that its state is that of the one who has added it here.
   */
  readonly mark: string | null
  readonly status: IdentityStatus
  /** Shown as the domain's `dkimTokens`. */
  readonly dkimTokens: readonly string[]
  /** What the owner of the domain publishes in its DNS, in the order in which it is shown. */
  readonly records: readonly IdentityRecord[]
}

export type IdentityStatus = "PENDING" | "VERIFIED" | "FAILED"

export interface IdentityRecord {
  readonly purpose: "DKIM" | "SPF" | "RETURN_PATH" | "DMARC" | "INBOUND"
  readonly type: "CNAME" | "TXT" | "MX"
  /** The whole name, without a dot at its end. */
  readonly name: string
  readonly value: string
  /** Of MX records only. */
  readonly priority?: number
  /** Whether the provider does not send before it has found this record. */
  readonly required: boolean
  /** The provider's own finding about this record; absent when it tells nothing of single records. */
  readonly status?: IdentityStatus
}

/** A structured log: fields stand beside the text. Never pass it passwords, tokens or message bodies. */
export interface TransportLog {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What a plugin is given to work with. */
export interface TransportTools {
  /** Secrets of the transport URL are taken out of what is logged. */
  readonly log: TransportLog
  /** Environment variables of the process, for credentials that conventionally stand there. */
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
  /** As `check`: rejects with a reason an operator can act on, and must not need the other side to be up. */
  create(url: URL, tools: TransportTools): Transport | Promise<Transport>
  /** Of a built-in plugin: much mail leaves by a thread, which calls `create` with the same URL. Batches are of one message. */
  readonly threaded?: true
}

import type { Log } from "../kernel/log.ts"

/** An address with the name it is shown under; the name is empty when there is none. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
  /** Set on parts that the HTML shows by `cid:`. */
  readonly contentId: string | null
  readonly disposition: "attachment" | "inline"
}

/** One composed message on its way out: everything decided, nothing left to add. */
export interface Outgoing {
  /** The email id: the same on every attempt, so it serves providers as an idempotency key. */
  readonly id: string
  readonly projectId: string
  /** `bulk` for campaign and marketing mail: providers keep separate streams for it. */
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
  /** The RFC 5322 message with CRLF lines: made when first asked for, then kept. */
  mime(): Uint8Array
}

/**
 * What became of one hand-over (design 6). `unknown`: the connection died after the message was handed over,
 * so the other side may or may not have it; the ledger settles it by policy.
 */
export type Receipt =
  | { readonly outcome: "sent"; readonly providerId: string | null }
  | {
      readonly outcome: "deferred"
      readonly reason: string
      readonly retryAt?: number
      /** The other side as a whole could not be used; the message itself was not judged. Another way out may be tried. */
      readonly unreachable?: true
    }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly reason: string }

export const sent = (providerId: string | null): Receipt => ({ outcome: "sent", providerId })
export const deferred = (reason: string, retryAt?: number): Receipt =>
  retryAt === undefined ? { outcome: "deferred", reason } : { outcome: "deferred", reason, retryAt }
export const unreachable = (reason: string): Receipt => ({ outcome: "deferred", reason, unreachable: true })
export const rejected = (reason: string): Receipt => ({ outcome: "rejected", reason })
export const unknownOutcome = (reason: string): Receipt => ({ outcome: "unknown", reason })

export interface TransportLimits {
  /** Messages per second that this way out takes; absent for no limit of its own. */
  readonly perSecond?: number
  /** Calls of `send` under way at once. */
  readonly concurrency: number
  /** Messages per call of `send`. */
  readonly batch: number
}

/** A way out for mail. Small and batch-first; every plugin passes `test/contracts/transport.ts`. */
export interface Transport {
  readonly name: string
  readonly limits: TransportLimits
  /**
   * Hands the batch over and resolves with one receipt per message, in order. Refusals and faults of the network are
   * receipts; it rejects only on a programming error, and the ledger then counts the batch as unknown. When the signal
   * aborts it gives up what is not handed over yet (`deferred`) and settles promptly.
   */
  send(messages: readonly Outgoing[], signal: AbortSignal): Promise<Receipt[]>
  /** Called once at start: rejects with a reason an operator can act on. Must not need the far side to be up. */
  check?(): Promise<void>
  close(): Promise<void>
}

/** What a plugin is given to work with. */
export interface TransportTools {
  readonly log: Log
  /** Keeps a message in the local inbox instead of sending it, and tells what its delivery would have come to. */
  keep(message: Outgoing): Promise<Receipt>
  /** Environment variables of the process, for credentials that conventionally live there. */
  env(name: string): string | undefined
}

/** The default export of a plugin file. `url` is the operator's transport URL, options in its query (contract A8.2). */
export interface TransportPlugin {
  /** URL schemes without the colon, for example `["smtp", "smtps"]`. Ignored for `plugin:` files. */
  readonly schemes: readonly string[]
  create(url: URL, tools: TransportTools): Transport | Promise<Transport>
}

import type { Attachment, Mailbox } from "../transport.ts"

/** The content of a message before it is composed; `compose` turns it into an `Outgoing`. */
export interface Draft {
  /** The email id. It goes into the MIME boundaries, so that every attempt sends the same bytes. */
  readonly id: string
  readonly projectId: string
  readonly stream: "transactional" | "bulk"
  /** RFC 5321 MAIL FROM; empty for the null sender. */
  readonly envelopeFrom: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly replyTo: string | null
  /** Rendered. */
  readonly subject: string
  /** Rendered, with footer and tracking. */
  readonly html: string
  /**
   * Made from `html` when absent. Links in text are not tracked (contract A7.3.2), so a tracked body brings its own.
   */
  readonly text?: string
  /** The sender's own headers; they win over ours (contract A7.1.2). */
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly Attachment[]
  readonly listUnsubscribeUrl: string | null
  /** Adds the bulk headers of contract A7.1. */
  readonly bulk: boolean
  /** Adds the header by which others do not answer it by a program (RFC 3834), as bulk mail has it. */
  readonly automatic?: boolean | undefined
  /** The mailing list, for the List-Id (RFC 2919) and the Feedback-ID; null for mail to one person. */
  readonly list: { readonly name: string; readonly campaignId: string | null } | null
  /** The `Date` header, ms. */
  readonly date: number
  /** Without angle brackets. */
  readonly messageId: string
}

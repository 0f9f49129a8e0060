/** What the server says, as far as the dashboard reads it. Sections are those of the wire contract. */

export const emailStatuses = [
  "PENDING",
  "SENDING",
  "SENT",
  "DELIVERED",
  "OPENED",
  "CLICKED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
  "CANCELLED",
  "RECEIVED",
] as const
export type EmailStatus = (typeof emailStatuses)[number]

export type EmailSource = "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | "INBOUND"

/** A list entry (contract A4.5). Times are ISO strings. */
export interface EmailRecord {
  readonly id: string
  readonly projectId: string
  readonly contactId: string | null
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly subject: string
  readonly type: string
  readonly status: EmailStatus
  readonly sourceType: EmailSource
  readonly campaignId: string | null
  readonly workflowExecutionId: string | null
  readonly templateId: string | null
  readonly messageId: string | null
  readonly opens: number
  readonly clicks: number
  readonly error: string | null
  readonly createdAt: string
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly openedAt: string | null
  readonly clickedAt: string | null
  readonly bouncedAt: string | null
  readonly complainedAt: string | null
}

export interface EmailAttachment {
  readonly filename: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly contentId: string | null
  readonly disposition: "attachment" | "inline"
}

export interface Email extends EmailRecord {
  /** Null for mail without HTML, and once retention cleared it. */
  readonly html: string | null
  readonly text: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly EmailAttachment[]
}

/** A cursor list (contract A1.4). `cursor` is absent on the last page, `total` counts on the first one only. */
export interface CursorPage<T> {
  readonly data: readonly T[]
  readonly cursor?: string
  readonly hasMore: boolean
  readonly total: number
}

export type EmailPage = CursorPage<EmailRecord>

/** Contract B8.3; the secret is null for members without the right to see it. */
export interface Project {
  readonly id: string
  readonly name: string
  readonly public: string
  readonly secret: string | null
  readonly role: string
}

export type Data = Readonly<Record<string, unknown>>

/** A5. */
export interface Contact {
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly data: Data
  readonly createdAt: string
  readonly updatedAt: string
}

export const mailTypes = ["TRANSACTIONAL", "MARKETING", "HEADLESS"] as const
export type MailType = (typeof mailTypes)[number]

/** A6. */
export interface Template {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly subject: string
  readonly body: string
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
  readonly createdAt: string
  readonly updatedAt: string
}

/** Contract B7.3.2, the parts in use. */
export interface Config {
  readonly version: string
  readonly sandbox: boolean
  readonly urls: { readonly api: string; readonly wiki: string | null }
  readonly features: { readonly smtp: SmtpFeature }
}

export interface SmtpFeature {
  readonly domain: string | null
  readonly ports: { readonly submission: number | null } | null
}

export interface LiveChange {
  readonly id: string
  readonly change: "created" | "updated" | "deleted" | "cleared"
}

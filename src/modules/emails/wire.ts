import { type Static, t } from "elysia"
import { optional, requiredFault, text, withRules } from "../../http/schema.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { Attachment } from "../../mail/transport.ts"
import type { Email } from "./table.ts"

const address = () => text({ form: "address" })
const oneLine = (max?: number) => text(max === undefined ? { form: "line" } : { max, form: "line" })
const mailbox = t.Object({ name: optional(oneLine()), email: address() })
const recipient = t.Union([address(), mailbox])

const attachment = t.Object({
  filename: text({ min: 1, max: 255, form: "filename" }),
  content: text({ min: 1, form: "base64" }),
  contentType: text({ min: 1, max: 255, form: "mediaType" }),
  contentId: optional(text({ min: 1, max: 255, form: "contentId" })),
  disposition: optional(t.Union([t.Literal("attachment"), t.Literal("inline")])),
})

export interface AttachmentLimits {
  readonly count: number
  readonly bytes: number
}

/** The body of `POST /v1/send` (contract A4.2). */
export const sendBody = (limits: AttachmentLimits) =>
  withRules(
    t.Object({
      to: t.Union([address(), mailbox, t.Array(recipient, { minItems: 1, maxItems: 1_000 })]),
      subject: optional(text({ min: 1, max: 998, form: "line" })),
      body: optional(text({ min: 1, max: 2_000_000 })),
      template: optional(text({ form: "id" })),
      from: optional(recipient),
      name: optional(oneLine()),
      reply: optional(address()),
      subscribed: optional(t.Boolean()),
      data: optional(t.Object({}, { additionalProperties: true })),
      headers: optional(t.Record(t.String(), text({ max: 998, form: "line" }))),
      attachments: optional(t.Array(attachment)),
    }),
    (sent) => [...contentFaults(sent), ...headerFaults(sent.headers), ...attachmentFaults(sent.attachments, limits)],
  )

export type SendBody = Static<ReturnType<typeof sendBody>>

/** Content comes from a template, or from both subject and body (spec 4.2, contract A4.3.1). */
function contentFaults({ template, subject, body, from }: Record<string, unknown>): Fault[] {
  if (template !== undefined && template !== null) return []
  const missing = Object.entries({ subject, body, from }).filter(([, value]) => value === undefined || value === null)
  const faults = missing.map(([field]) => requiredFault(field))
  const incomplete = missing.some(([field]) => field !== "from")
  return incomplete ? [...faults, fault("template", "custom", "Send a template, or both subject and body.")] : faults
}

const headerName = /^[!-9;-~]+$/

function headerFaults(headers: unknown): Fault[] {
  if (typeof headers !== "object" || headers === null) return []
  return Object.keys(headers)
    .filter((name) => !headerName.test(name))
    .map((name) =>
      fault(`headers.${name}`, "invalid_string", "A header name is printable ASCII without space and colon."),
    )
}

function attachmentFaults(attachments: unknown, limits: AttachmentLimits): Fault[] {
  if (!Array.isArray(attachments)) return []
  if (attachments.length > limits.count)
    return [fault("attachments", "too_big", `attachments must have at most ${limits.count} items.`)]
  const inline = attachments.flatMap((item, at) =>
    item?.disposition === "inline" && (item.contentId === undefined || item.contentId === null)
      ? [fault(`attachments.${at}.contentId`, "required", "An inline attachment needs a contentId.")]
      : [],
  )
  const size = attachments.reduce((sum, item) => sum + decodedSize(item?.content), 0)
  return size > limits.bytes
    ? [...inline, fault("attachments", "too_big", `attachments must have at most ${limits.bytes} bytes together.`)]
    : inline
}

const decodedSize = (content: unknown): number =>
  typeof content === "string" ? Math.floor((content.replace(/=+$/, "").length * 3) / 4) : 0

export const presentEmail = (email: Email) => ({
  id: email.id,
  projectId: email.projectId,
  contactId: email.contactId,
  to: email.to,
  toName: email.toName,
  from: email.from,
  fromName: email.fromName,
  replyTo: email.replyTo,
  subject: email.subject,
  type: email.type,
  status: email.status,
  sourceType: email.sourceType,
  campaignId: email.campaignId,
  workflowExecutionId: email.workflowExecutionId,
  templateId: email.templateId,
  messageId: email.messageId,
  opens: email.opens,
  clicks: email.clicks,
  error: email.error,
  createdAt: iso(email.createdAt),
  updatedAt: iso(email.updatedAt),
  sentAt: isoOrNull(email.sentAt),
  deliveredAt: isoOrNull(email.deliveredAt),
  openedAt: isoOrNull(email.openedAt),
  clickedAt: isoOrNull(email.clickedAt),
  bouncedAt: isoOrNull(email.bouncedAt),
  complainedAt: isoOrNull(email.complainedAt),
})

export interface EmailContent {
  readonly html: string | null
  readonly text: string | null
  readonly headers: Record<string, string>
  readonly attachments: readonly Attachment[]
}

export const presentFullEmail = (email: Email, { html, text, headers, attachments }: EmailContent) => ({
  ...presentEmail(email),
  html,
  text,
  headers,
  attachments: attachments.map(({ filename, contentType, content, contentId, disposition }) => ({
    filename,
    contentType,
    size: content.byteLength,
    contentId,
    disposition,
  })),
})

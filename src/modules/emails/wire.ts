import { type Static, t } from "elysia"
import { maxBodyBytes } from "../../http/body.ts"
import { about, named } from "../../http/openapi/describe.ts"
import { base64Digits, optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import type { Attachment } from "../../mail/transport.ts"
import { dataFaults } from "../contacts/index.ts"
import { shownName, textMeaning } from "../templates/index.ts"
import { type emailSchema, type fullEmailSchema, sendExample } from "./document.ts"
import type { Email } from "./table.ts"

const address = () => text({ form: "address" })
const mailbox = named("Mailbox", shape({ name: optional(shownName()), email: address() }))
const addressAlone = () => text({ form: "recipient" })
const recipient = t.Union([addressAlone(), mailbox])

const attachment = named(
  "Attachment",
  shape({
    filename: text({ min: 1, max: 255, form: "filename" }),
    content: about("The file, in base64.", text({ min: 1, form: "base64" })),
    contentType: about("Such as `text/plain`.", text({ min: 1, max: 255, form: "mediaType" })),
    contentId: about(
      "What `cid:` links in the body refer to.",
      optional(text({ min: 1, max: 255, form: "contentId" })),
    ),
    disposition: about(
      "`attachment` unless told otherwise; `inline` needs a `contentId`.",
      optional(t.Union([t.Literal("attachment"), t.Literal("inline")])),
    ),
  }),
)

export interface AttachmentLimits {
  readonly count: number
  readonly bytes: number
}

/** The body of `POST /v1/send` (contract A4.2). */
export const sendBody = (limits: AttachmentLimits) =>
  withRules(named("SendRequest", sendFields(limits), sendExample), (sent) => [
    ...contentFaults(sent),
    ...dataFaultsFor(sent.to, sent.data),
    ...headerFaults(sent.headers),
    ...attachmentFaults(sent.attachments, limits),
  ])

const sendFields = (limits: AttachmentLimits) =>
  shape({
    to: about(
      "One recipient, or up to 1,000. Each gets a message of its own.",
      t.Union([addressAlone(), mailbox, t.Array(recipient, { minItems: 1, maxItems: 1_000 })]),
    ),
    subject: about("May hold template tags.", optional(text({ min: 1, max: 998, form: "line" }))),
    body: about("HTML with template tags, such as `{{name ?? there}}`.", optional(text({ min: 1, max: 2_000_000 }))),
    text: about(textMeaning, optional(text({ min: 1, max: 2_000_000 }))),
    template: about("Instead of subject and body. What is sent beside it wins.", optional(text({ form: "id" }))),
    from: about(
      "Its domain must be verified for the project. Required unless the template has one.",
      optional(recipient),
    ),
    name: about("Deprecated: the sender's name, beside a `from` that is an address.", optional(shownName())),
    reply: about("Where replies go.", optional(address())),
    subscribed: about("Left out: new contacts are not subscribed, known ones stay as they are.", optional(t.Boolean())),
    data: about(
      "Custom fields, kept with every recipient and known to the template. `{value, persistent: false}` is for this message alone.",
      optional(shape({})),
    ),
    headers: about(
      "More headers for the message.",
      optional(t.Record(t.String(), text({ max: 998, form: "line", entry: true }))),
    ),
    attachments: about(
      `At most ${limits.count} files with ${limits.bytes / 1_048_576} MB together.`,
      optional(t.Array(attachment)),
    ),
  })

export type SendBody = Static<ReturnType<typeof sendBody>>

/** Content comes from a template, or from both subject and body (contract A4.3.1). */
function contentFaults({ template, subject, body, from }: Record<string, unknown>): Fault[] {
  if (template !== undefined && template !== null) return []
  const missing = Object.entries({ subject, body, from }).filter(([, value]) => value === undefined || value === null)
  const faults = missing.map(([field]) => requiredFault(field))
  const incomplete = missing.some(([field]) => field !== "from")
  return incomplete ? [...faults, fault("template", "custom", "Send a template, or both subject and body.")] : faults
}

/**
 * Each recipient's message stores the data: together they may be no larger than the largest data of a request with one
 * recipient.
 */
function dataFaultsFor(to: unknown, data: unknown): Fault[] {
  const faults = dataFaults(data)
  if (faults.length > 0 || !Array.isArray(to) || to.length < 2 || !isObject(data)) return faults
  const bytes = Buffer.byteLength(JSON.stringify(data)) * to.length
  return bytes > maxBodyBytes
    ? [fault("data", "too_big", `data, times the recipients, must have at most ${maxBodyBytes} bytes as JSON.`)]
    : []
}

const headerName = /^[!-9;-~]+$/
/** Name and colon are on one line of at most 998 octets (RFC 5322, 2.1.1). */
const maxHeaderName = 900
/** More than any mail needs, and few enough to be processed for every recipient. */
const maxHeaders = 100

/** Contract A4.2. */
export function headerFaults(headers: unknown): Fault[] {
  if (typeof headers !== "object" || headers === null) return []
  const names = Object.keys(headers)
  if (names.length > maxHeaders)
    return [fault("headers", "too_big", `headers must have at most ${maxHeaders} entries.`)]
  return names.flatMap((name) => {
    const field = `headers.${name}`
    if (!headerName.test(name))
      return [fault(field, "invalid_string", "A header name is printable ASCII without space and colon.")]
    if (name.length <= maxHeaderName) return []
    return [fault(field, "too_big", `A header name must have at most ${maxHeaderName} characters.`)]
  })
}

function attachmentFaults(attachments: unknown, limits: AttachmentLimits): Fault[] {
  if (!Array.isArray(attachments)) return []
  const inline = attachments.flatMap((item, at) =>
    item?.disposition === "inline" && (item.contentId === undefined || item.contentId === null)
      ? [fault(`attachments.${at}.contentId`, "required", "An inline attachment needs a contentId.")]
      : [],
  )
  const size = attachments.reduce((sum, item) => sum + decodedSize(item?.content), 0)
  const beyond = limitFaults(attachments.length, size, limits)
  return attachments.length > limits.count ? beyond : [...inline, ...beyond]
}

/** What is wrong with so many attachments of so many bytes together (contract A4.2). */
export function limitFaults(number: number, size: number, { count, bytes }: AttachmentLimits): Fault[] {
  if (number > count) return [fault("attachments", "too_big", `attachments must have at most ${count} items.`)]
  return size > bytes ? [fault("attachments", "too_big", `attachments must have at most ${bytes} bytes together.`)] : []
}

const decodedSize = (content: unknown): number =>
  typeof content === "string" ? Math.floor((base64Digits(content) * 3) / 4) : 0

export const presentEmail = (email: Email): Static<typeof emailSchema> => ({
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
  /** Whether the message has no HTML, so that `html` contains its text. */
  readonly isTextOnly?: boolean
  readonly text: string | null
  readonly headers: Record<string, string>
  readonly attachments: readonly Attachment[]
  /** A sentence about this content, for example that it is incomplete. */
  readonly notice?: string | undefined
}

export const presentFullEmail = (
  email: Email,
  { html, text, headers, attachments, notice }: EmailContent,
): Static<typeof fullEmailSchema> => ({
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
  notice: notice ?? null,
  attempts: email.attempt,
  // Mail that waits for its first attempt has no error yet.
  nextAttemptAt: email.status === "PENDING" && email.error !== null ? iso(email.dueAt) : null,
})

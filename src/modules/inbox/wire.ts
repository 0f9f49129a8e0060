import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, oneOf, orNull, query } from "../../http/openapi/describe.ts"
import { optional, shape, text } from "../../http/schema.ts"
import {
  addressings,
  emailExample,
  emailSchema,
  emailStatuses,
  fullEmailExample,
  fullEmailSchema,
  presentEmail,
} from "../emails/index.ts"
import { sourceOf, sources } from "./filter.ts"
import type { InboxRow } from "./list.ts"

const recipient = t.Object({
  id: about("Of the record for this recipient.", id()),
  to: t.String(),
  toName: orNull(t.String()),
  addressedBy: about("The header that names the recipient; BCC when none does.", oneOf(addressings)),
  status: oneOf(emailStatuses),
})

const rowFields = {
  source: oneOf(sources),
  unread: t.Boolean(),
  snippet: about("The beginning of its text; null until it was read.", orNull(t.String())),
  attachmentCount: t.Integer(),
  recipients: about("Of a message that came in for several recipients.", t.Array(recipient)),
  campaign: about(
    "The campaign that the row stands for; its other fields are those of the first mail.",
    orNull(t.Object({ id: id(), name: t.String(), mails: t.Integer() })),
  ),
}

/** A row of the inbox (contract A4.6). */
export const inboxRowSchema = named("InboxRow", t.Object({ ...emailSchema.properties, ...rowFields }))

/** A message of the inbox with its content, and the previous and next row. */
export const inboxMailSchema = named(
  "InboxMail",
  t.Object({
    ...fullEmailSchema.properties,
    ...rowFields,
    textOnly: about("The message has no HTML of its own; `html` shows its text.", t.Boolean()),
    older: about("The id of the row after it.", orNull(id())),
    newer: about("The id of the row before it.", orNull(id())),
  }),
)

const rowExample = {
  source: "API",
  unread: true,
  snippet: "Hello there",
  attachmentCount: 0,
  recipients: [],
  campaign: null,
} as const

export const inboxRowExample: Static<typeof inboxRowSchema> = { ...emailExample, ...rowExample, recipients: [] }
export const inboxMailExample: Static<typeof inboxMailSchema> = {
  ...fullEmailExample,
  ...rowExample,
  recipients: [],
  textOnly: false,
  older: null,
  newer: null,
}

export const unreadSchema = named(
  "Unread",
  t.Object({ unread: about("Messages that were not looked at; a campaign counts as one.", t.Integer()) }),
)

/** The filters of `GET /inbox`. */
export const inboxFilters = query({
  status: about("Of any of its records.", oneOf(emailStatuses)),
  source: oneOf(sources),
  search: about(
    'Words and "phrases" in sender, recipient, subject and text, and `from:`, `to:`, `subject:`, `has:attachment`, `is:unread`, `is:bounced`, `before:2026-01-31`, `after:`.',
    t.String(),
  ),
})

export const markBody = shape({ id: text({ form: "id" }), read: t.Boolean() })
export const markAllBody = shape({
  upTo: about("The newest message to mark; all there is when left out.", optional(text({ form: "id" }))),
})

export const presentFacts = ({ email, unread, snippet, attachmentCount, recipients, campaign }: InboxRow) => ({
  source: sourceOf(email),
  unread,
  snippet,
  attachmentCount,
  recipients: recipients.map(({ id, to, toName, addressedBy, status }) => ({
    id,
    to,
    toName,
    addressedBy: addressedBy ?? ("TO" as const),
    status,
  })),
  campaign: campaign && { id: campaign.id, name: campaign.name, mails: campaign.mails },
})

export const presentRow = (row: InboxRow): Static<typeof inboxRowSchema> => ({
  ...presentEmail(row.email),
  ...presentFacts(row),
})

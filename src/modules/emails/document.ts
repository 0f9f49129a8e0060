import { type Static, Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, orNull, query, time, wrapped } from "../../http/openapi/describe.ts"
import { mailTypes } from "../templates/index.ts"
import { emailStatuses, sourceTypes } from "./table.ts"

const address = () => t.String({ format: "email" })
const party = (who: string) =>
  about(`${who}. Of mail by SMTP as it was written, which need not be an address.`, t.String())
const ledger = {
  id: id(),
  projectId: id(),
  contactId: orNull(id()),
  to: party("The recipient"),
  toName: orNull(t.String()),
  from: party("The sender, empty when the mail names none"),
  fromName: orNull(t.String()),
  replyTo: orNull(t.String()),
  subject: about("As it was sent.", t.String()),
  type: oneOf(mailTypes),
  status: about("Only moves up; FAILED and CANCELLED are final.", oneOf(emailStatuses)),
  sourceType: oneOf(sourceTypes),
  campaignId: orNull(id()),
  workflowExecutionId: orNull(id()),
  templateId: orNull(id()),
  messageId: about("The Message-ID header without its brackets.", t.String()),
  opens: t.Integer(),
  clicks: t.Integer(),
  error: about("Why the message failed.", orNull(t.String())),
  createdAt: time(),
  updatedAt: time(),
  sentAt: orNull(time()),
  deliveredAt: orNull(time()),
  openedAt: orNull(time()),
  clickedAt: orNull(time()),
  bouncedAt: orNull(time()),
  complainedAt: orNull(time()),
}

/** A message in lists, and with its content (contract A4.5). */
export const emailSchema = named("Email", t.Object(ledger))
export const fullEmailSchema = named(
  "EmailWithContent",
  t.Object({
    ...ledger,
    html: about("As sent, before tracking was added. Null once retention has cleared it.", orNull(t.String())),
    text: orNull(t.String()),
    headers: t.Record(t.String(), t.String()),
    attachments: t.Array(
      t.Object({
        filename: t.String(),
        contentType: t.String(),
        size: about("In bytes.", t.Integer()),
        contentId: orNull(t.String()),
        disposition: oneOf(["attachment", "inline", "alternative", "body"]),
      }),
    ),
    notice: about("That the content is not all that came, in a sentence; null otherwise.", orNull(t.String())),
    attempts: about("How often it was handed over, or tried to be.", t.Integer()),
    nextAttemptAt: about(
      "When a message that could not be sent is tried again at the earliest, for the reason in `error`; null otherwise.",
      orNull(time()),
    ),
  }),
)

const [emailId, contactId] = ["0199c0de-0000-7000-8000-00000000000e", "0199c0de-0000-7000-8000-00000000000a"]

export const emailExample: Static<typeof emailSchema> = {
  id: emailId,
  projectId: "0199c0de-0000-7000-8000-000000000001",
  contactId,
  to: "ada@example.com",
  toName: null,
  from: "hi@shop.test",
  fromName: "Shop",
  replyTo: null,
  subject: "Order 991",
  type: "TRANSACTIONAL",
  status: "DELIVERED",
  sourceType: "TRANSACTIONAL",
  campaignId: null,
  workflowExecutionId: null,
  templateId: null,
  messageId: `${emailId}@shop.test`,
  opens: 0,
  clicks: 0,
  error: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:02.000Z",
  sentAt: "2026-01-31T09:15:01.000Z",
  deliveredAt: "2026-01-31T09:15:02.000Z",
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  complainedAt: null,
}

export const fullEmailExample: Static<typeof fullEmailSchema> = {
  ...emailExample,
  html: "<!doctype html><html><body><p>Hello there</p></body></html>",
  text: "Hello there",
  headers: {
    From: "Shop <hi@shop.test>",
    To: "ada@example.com",
    Subject: "Order 991",
    "Message-ID": `<${emailId}@shop.test>`,
  },
  attachments: [],
  notice: null,
  attempts: 1,
  nextAttemptAt: null,
}

/** The answer to a test of a template (contract A6.9). */
export const testedSchema = named("TemplateTested", t.Object({ emailId: id() }))

export const sendResultSchema = named(
  "SendResult",
  t.Object({
    emails: about(
      "One for each recipient, in the order of `to`.",
      t.Array(
        t.Object({
          contact: t.Object({ id: id(), email: address() }),
          email: about("The id of the message.", id()),
        }),
      ),
    ),
    timestamp: time(),
  }),
)

export const sendAnswer = answers(200, wrapped(sendResultSchema), {
  success: true,
  data: {
    emails: [{ contact: { id: contactId, email: "ada@example.com" }, email: emailId }],
    timestamp: "2026-01-31T09:15:00.000Z",
  },
})

export const sendExample = {
  to: ["ada@example.com", { name: "Bo", email: "bo@example.com" }],
  from: { name: "Shop", email: "hi@shop.test" },
  subject: "Order {{no}}",
  body: "<p>Hello {{first ?? there}}</p>",
  data: { no: { value: 991, persistent: false } },
}

/** The filters of `GET /emails`. */
export const emailFilters = query({
  status: oneOf(emailStatuses),
  sourceType: oneOf(sourceTypes),
  contactId: id(),
  campaignId: id(),
  templateId: id(),
  to: about("The exact address of the recipient.", t.String()),
  search: about("Part of recipient or subject, in any case.", t.String()),
})

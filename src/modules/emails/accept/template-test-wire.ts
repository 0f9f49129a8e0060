import type { Static } from "@sinclair/typebox"
import { about, named } from "../../../http/openapi/describe.ts"
import { optional, shape, text, withRules } from "../../../http/schema.ts"
import { canonicalAddress } from "../../../kernel/email-address.ts"
import { parseId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { dataFaults } from "../../contacts/index.ts"
import { contentFields, contentOptions } from "../../templates/index.ts"
import type { TemplateTest } from "./template-test.ts"

const { subject, body, from } = contentFields

/** The body of `POST /templates/{id}/test` (contract A6.9). */
export const templateTestBody = withRules(
  named(
    "TemplateTestRequest",
    shape({
      email: text({ form: "address" }),
      subject: optional(subject),
      body: optional(body),
      text: contentOptions.text,
      from: optional(from),
      fromName: contentOptions.fromName,
      replyTo: contentOptions.replyTo,
      contactId: about(
        "Fill it as for this contact, not as for that with the address.",
        optional(text({ form: "id" })),
      ),
      data: about("Custom fields as `POST /v1/send` takes them; nothing of them is stored.", optional(shape({}))),
    }),
    { email: "ada@example.com", data: { name: "Ada" } },
  ),
  (sent) => dataFaults(sent.data),
)

export const testIn = (sent: Static<typeof templateTestBody>): TemplateTest => ({
  to: canonicalAddress(sent.email),
  subject: sent.subject ?? undefined,
  body: sent.body ?? undefined,
  text: sent.text,
  from: sent.from ? canonicalAddress(sent.from) : undefined,
  fromName: sent.fromName,
  replyTo: sent.replyTo ? canonicalAddress(sent.replyTo) : sent.replyTo,
  contactId: sent.contactId ? parseId(sent.contactId) : undefined,
  data: (sent.data as JsonObject | null | undefined) ?? undefined,
})

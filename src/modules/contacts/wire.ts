import { type Static, Type as t } from "@sinclair/typebox"
import { BareError } from "../../http/envelope.ts"
import { about, named } from "../../http/openapi/describe.ts"
import { flagIn, type Query, searchIn } from "../../http/page.ts"
import { optional, shape, text, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { canonicalAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { ContactChange, ContactPatch, Upserted } from "./actions.ts"
import { dataFaults } from "./data.ts"
import type { contactSchema, upsertedSchema } from "./document.ts"
import type { ContactFilter } from "./list/store.ts"
import type { Contact } from "./table.ts"

const fields = {
  email: text({ form: "address" }),
  subscribed: t.Boolean(),
  data: shape({}),
}

/** The body of `POST /contacts` (contract A5.2). */
export const newContactBody = withRules(
  named(
    "ContactRequest",
    shape({
      email: fields.email,
      subscribed: about(
        "Left out: a new contact is subscribed, a known one stays as it is.",
        optional(fields.subscribed),
      ),
      data: about("Custom fields to set; null deletes one, the others stay.", optional(fields.data)),
    }),
    { email: "ada@example.com", data: { plan: "pro" } },
  ),
  ({ data }) => dataFaults(data),
)

/** The body of `PATCH /contacts/{id}` (contract A5.4): none of a contact's fields may be null. */
export const contactChangeBody = withRules(
  named(
    "ContactChange",
    shape({
      email: t.Optional(fields.email),
      subscribed: t.Optional(fields.subscribed),
      data: about("Custom fields to set; null deletes one, the others stay.", t.Optional(fields.data)),
    }),
    { subscribed: false, data: { plan: "free" } },
  ),
  ({ data }) => dataFaults(data),
)

const mostEmails = 500

/** The body of `POST /contacts/lookup` (contract A5.6). A fault in it is reported for `emails` as a whole. */
export const lookupBody = withRules(
  named("LookupRequest", shape({ emails: t.Array(t.Any({ type: "string" }), { minItems: 1, maxItems: mostEmails }) }), {
    emails: ["Ada@Example.com", "nobody@example.com"],
  }),
  ({ emails }) => textFaults(emails),
)

function textFaults(emails: unknown): Fault[] {
  const areTexts = !Array.isArray(emails) || emails.every((one) => typeof one === "string")
  return areTexts ? [] : [fault("emails", "invalid_type", "emails must be a list of texts.", "array")]
}

export const emailsIn = ({ emails }: Static<typeof lookupBody>): readonly string[] => emails

/** Refuses a contact without an address with a bare error, before its shape is checked (contract A1.8). */
export function requireEmail(sent: unknown): void {
  const { email } = (sent ?? {}) as Record<string, unknown>
  if (email === undefined || email === null || (typeof email === "string" && email.trim() === ""))
    throw new BareError("email is required.")
}

export const newContactIn = ({ email, subscribed, data }: Static<typeof newContactBody>): ContactChange => ({
  email: canonicalAddress(email),
  subscribed: subscribed ?? undefined,
  data: (data as JsonObject | null | undefined) ?? undefined,
  subscribedWhenNew: true,
})

export const patchIn = ({ email, subscribed, data }: Static<typeof contactChangeBody>): ContactPatch => ({
  email: email === undefined ? undefined : canonicalAddress(email),
  subscribed,
  data: data as JsonObject | undefined,
})

/** In the query of a list only an invalid cursor is refused (contract A1.4). */
export const filterIn = (query: Query): ContactFilter => ({
  search: searchIn(query.search),
  find: searchIn(query.find),
  subscribed: flagIn(query.subscribed),
})

export const presentContact = (contact: Contact): Static<typeof contactSchema> => ({
  id: contact.id,
  email: contact.email,
  subscribed: contact.subscribed,
  data: contact.data,
  projectId: contact.projectId,
  createdAt: iso(contact.createdAt),
  updatedAt: iso(contact.updatedAt),
})

export const presentUpserted = ({ contact, isNew }: Upserted): Static<typeof upsertedSchema> => ({
  ...presentContact(contact),
  _meta: { isNew, isUpdate: !isNew },
})

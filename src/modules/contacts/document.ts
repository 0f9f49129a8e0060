import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, oneOf, query, time } from "../../http/openapi/describe.ts"
import { directions, sortKeys } from "./list/order.ts"

/** Contract A5.14. */
const contact = t.Object({
  id: id(),
  email: t.String({ format: "email" }),
  subscribed: t.Boolean(),
  data: about("Custom fields.", anyObject()),
  projectId: id(),
  createdAt: time(),
  updatedAt: time(),
})

export const contactSchema = named("Contact", contact)

export const contactExample: Static<typeof contactSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000a",
  email: "ada@example.com",
  subscribed: true,
  data: { plan: "pro" },
  projectId: "0199c0de-0000-7000-8000-000000000001",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

export const upsertedSchema = named(
  "UpsertedContact",
  t.Object({
    ...contact.properties,
    _meta: about("Which of the two it was.", t.Object({ isNew: t.Boolean(), isUpdate: t.Boolean() })),
  }),
)

export const upsertedExample = (isNew: boolean): Static<typeof upsertedSchema> => ({
  ...contactExample,
  _meta: { isNew, isUpdate: !isNew },
})

/** The parameters of `GET /contacts` in addition to those of its page. */
export const contactFilters = query({
  search: about("Text in the address, in any case.", t.String()),
  find: about("Text in the address or in the value of a custom field, in any case; instead of `search`.", t.String()),
  subscribed: about("Contacts of both states when left out.", t.Boolean()),
  sort: about("`createdAt` when left out.", oneOf(sortKeys)),
  dir: about("`desc` when left out.", oneOf(directions)),
})

const addresses = (description: string) => about(description, t.Array(t.String()))

export const lookupSchema = named(
  "LookupResult",
  t.Object({
    found: addresses("Addresses of contacts, as they were given."),
    notFound: addresses("The others, those that are no addresses among them."),
  }),
)

export const lookupExample: Static<typeof lookupSchema> = {
  found: ["Ada@Example.com"],
  notFound: ["nobody@example.com"],
}

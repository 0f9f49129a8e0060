import { type Static, t } from "elysia"
import { about, anyObject, id, named, time } from "../../http/openapi/describe.ts"
import { iso } from "../../kernel/clock.ts"
import type { Contact } from "./table.ts"

export const contactSchema = named(
  "Contact",
  t.Object({
    id: id(),
    email: t.String({ format: "email" }),
    subscribed: t.Boolean(),
    data: about("Custom fields.", anyObject()),
    projectId: id(),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const contactExample: Static<typeof contactSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000a",
  email: "ada@example.com",
  subscribed: true,
  data: { plan: "pro" },
  projectId: "0199c0de-0000-7000-8000-000000000001",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

export const presentContact = (contact: Contact): Static<typeof contactSchema> => ({
  id: contact.id,
  email: contact.email,
  subscribed: contact.subscribed,
  data: contact.data,
  projectId: contact.projectId,
  createdAt: iso(contact.createdAt),
  updatedAt: iso(contact.updatedAt),
})

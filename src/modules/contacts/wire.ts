import { iso } from "../../kernel/clock.ts"
import type { Contact } from "./table.ts"

export const presentContact = (contact: Contact) => ({
  id: contact.id,
  email: contact.email,
  subscribed: contact.subscribed,
  data: contact.data,
  projectId: contact.projectId,
  createdAt: iso(contact.createdAt),
  updatedAt: iso(contact.updatedAt),
})

import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, orNull, query, time } from "../../http/openapi/describe.ts"

/** Contract B4.1. */
export const eventSchema = named(
  "Event",
  t.Object({
    id: id(),
    name: t.String(),
    data: about("As sent; what an event of the service holds depends on its name.", anyObject()),
    projectId: id(),
    contactId: orNull(id()),
    emailId: about("The message that an `email.*` event is about.", orNull(id())),
    createdAt: time(),
    contact: about(
      "Null for an event without contact.",
      orNull(t.Object({ id: id(), email: t.String({ format: "email" }) })),
    ),
  }),
)

export const eventExample: Static<typeof eventSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000b",
  name: "purchase",
  data: { amount: 99 },
  projectId: "0199c0de-0000-7000-8000-000000000001",
  contactId: "0199c0de-0000-7000-8000-00000000000a",
  emailId: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  contact: { id: "0199c0de-0000-7000-8000-00000000000a", email: "ada@example.com" },
}

/** Parameters of `GET /events` in addition to those of its page and its period. */
export const eventFilters = query({
  eventName: about("Events of exactly this name.", t.String()),
  contactId: about("Events of this contact.", t.String()),
})

export const statsSchema = t.Array(
  named("EventCount", t.Object({ name: t.String(), count: t.Integer() }), { name: "purchase", count: 7 }),
)

export const namesSchema = named(
  "EventNames",
  t.Object({ eventNames: about("The most frequent first.", t.Array(t.String())) }),
)

const users = (description: string) => about(description, t.Array(t.Object({ id: id(), name: t.String() })))

export const usageSchema = named(
  "EventUsage",
  t.Object({
    usedInSegments: users("Segments whose condition names it."),
    usedInWorkflows: users("Workflows that start with it or wait for it."),
    totalCount: t.Integer(),
    uniqueContacts: about("Contacts that have such an event.", t.Integer()),
    canDelete: about("False for names of the service, and while an enabled workflow starts with it.", t.Boolean()),
  }),
)

export const usageExample: Static<typeof usageSchema> = {
  usedInSegments: [{ id: "0199c0de-0000-7000-8000-00000000000d", name: "Customers" }],
  usedInWorkflows: [],
  totalCount: 7,
  uniqueContacts: 3,
  canDelete: true,
}

export const deletedSchema = named(
  "DeletedEvents",
  t.Object({ deletedCount: about("Those there were when it was asked for.", t.Integer()) }),
)

import { contactTable } from "../../src/modules/contacts/index.ts"
import type { TestApp } from "./app.ts"

interface SeededContact {
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly data: Record<string, unknown>
  readonly createdAt: number
}

/** Inserts contacts directly into the table; triggers must update the counts. */
export async function seedContacts(
  it: TestApp,
  count: number,
  of: (at: number) => Partial<Omit<SeededContact, "id">>,
  projectId = it.project.id,
): Promise<SeededContact[]> {
  const contacts = Array.from({ length: count }, (_, at) => ({
    id: it.ids.next(),
    email: `seeded${at}@example.com`,
    subscribed: true,
    data: {},
    createdAt: it.clock.now(),
    ...of(at),
  }))
  for (let from = 0; from < count; from += 500)
    await it.app.store.write(it.project.id, async (unit) => {
      const rows = contacts.slice(from, from + 500).map((one) => ({ ...one, projectId, updatedAt: one.createdAt }))
      await unit.db.insert(contactTable).values(rows as (typeof contactTable.$inferInsert)[])
    })
  return contacts
}

/** Indexes all contacts for search. */
export async function indexAll(it: TestApp): Promise<void> {
  // The recurring job is planned by the first step and due five minutes later.
  await it.advance({ minutes: 5 })
  await it.advance({ minutes: 5 })
}

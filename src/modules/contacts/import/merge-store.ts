import { and, eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { insertContact } from "../store.ts"
import { type Contact, contactTable, fieldTable } from "../table.ts"
import type { Merged } from "./merge.ts"

const byEmails = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(
      and(
        eq(contactTable.projectId, sql.placeholder("projectId")),
        isOneOf(contactTable.email, sql.placeholder("emails")),
      ),
    ),
)

/** The contacts that have these addresses, by address. */
export async function findByEmails(db: Db, projectId: string, emails: Iterable<string>): Promise<Map<string, Contact>> {
  const found = await byEmails(db, { projectId, emails: JSON.stringify([...emails]) })
  return new Map(found.map((contact) => [contact.email, contact]))
}

/** Rows per statement: one with a hundred costs a fraction of a hundred with one. */
const width = 100
const names = Array.from({ length: width }, (_, place) => ({
  id: `id${place}`,
  email: `email${place}`,
  data: `data${place}`,
}))

const insertMany = prepare((db) =>
  db.insert(contactTable).values(
    names.map(({ id, email, data }) => ({
      id: sql.placeholder(id),
      projectId: sql.placeholder("projectId"),
      email: sql.placeholder(email),
      subscribed: true,
      data: sql.placeholder(data),
      createdAt: sql.placeholder("now"),
      updatedAt: sql.placeholder("now"),
    })),
  ),
)

/** Adds contacts that this unit has made: subscribed, and of its instant. */
export async function insertContacts(unit: Unit, projectId: string, contacts: readonly Contact[]): Promise<void> {
  const whole = contacts.length - (contacts.length % width)
  for (let from = 0; from < whole; from += width) {
    const values: Record<string, unknown> = { projectId, now: unit.now }
    for (const [place, name] of names.entries()) {
      const contact = contacts[from + place]
      values[name.id] = contact?.id
      values[name.email] = contact?.email
      values[name.data] = contact?.data
    }
    await insertMany(unit.db, values)
  }
  for (const contact of contacts.slice(whole)) await insertContact(unit, contact)
}

const countField = prepare((db) =>
  db
    .insert(fieldTable)
    .values({
      projectId: sql.placeholder("projectId"),
      key: sql.placeholder("key"),
      type: sql.placeholder("type"),
      contactCount: sql.placeholder("count"),
    })
    .onConflictDoUpdate({
      target: [fieldTable.projectId, fieldTable.key],
      set: {
        type: sql`coalesce(${fieldTable.type}, excluded.type)`,
        contactCount: sql`${fieldTable.contactCount} + excluded.contact_count`,
      },
    }),
)

/** Counts contacts for fields that they have now and had not; a field that is new gets its type (spec 2.2). */
export async function countFields(unit: Unit, projectId: string, gained: Merged["gained"]): Promise<void> {
  for (const [key, { type, count }] of gained) await countField(unit.db, { projectId, key, type, count })
}

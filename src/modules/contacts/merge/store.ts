import { and, eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idItemOf, idParam, isOneOf, itemOf, itemsOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Contact, contactTable } from "../table.ts"
import { dataBytes } from "../units.ts"

const byEmails = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(
      and(eq(contactTable.projectId, idParam("projectId")), isOneOf(contactTable.email, sql.placeholder("emails"))),
    ),
)

/** The contacts that have these addresses, by address. */
export async function findByEmails(db: Db, projectId: string, emails: Iterable<string>): Promise<Map<string, Contact>> {
  const found = await byEmails(db, { projectId, emails: JSON.stringify([...emails]) })
  return new Map(found.map((contact) => [contact.email, contact]))
}

const sizes = prepare((db) =>
  db
    .select({ email: contactTable.email, bytes: dataBytes })
    .from(contactTable)
    .where(
      and(eq(contactTable.projectId, idParam("projectId")), isOneOf(contactTable.email, sql.placeholder("emails"))),
    ),
)

/** The size of the data of the contacts that have these addresses, by address. */
export async function listDataBytes(db: Db, projectId: string, emails: Iterable<string>): Promise<Map<string, number>> {
  const found = await sizes(db, { projectId, emails: JSON.stringify([...emails]) })
  return new Map(found.map(({ email, bytes }) => [email, bytes]))
}

const insertMany = prepare((db) => {
  const { placeholder } = sql
  return db.insert(contactTable).select(
    sql`SELECT NULL, ${idItemOf(0)}, ${idParam("projectId")}, ${itemOf(1)}, 1, ${itemOf(2)}, ${placeholder("now")}, ${placeholder("now")}
      FROM ${itemsOf(placeholder("rows"))}`,
  )
})

/** Adds new contacts, subscribed and created at the unit's `now`. One statement costs a fraction of many. */
export async function insertContacts(unit: Unit, projectId: string, contacts: readonly Contact[]): Promise<void> {
  const rows = contacts.map(({ id, email, data }) => [id, email, JSON.stringify(data)])
  await insertMany(unit.db, { projectId, now: unit.now, rows: JSON.stringify(rows) })
}

import { and, eq, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { idParam, isOneOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import {
  type Contact,
  type ContactCount,
  type ContactRow,
  contactCountTable,
  contactTable,
  fieldDropTable,
  fieldTable,
} from "./table.ts"

const { placeholder } = sql

const byEmail = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), eq(contactTable.email, placeholder("email")))),
)

const byId = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), eq(contactTable.id, idParam("id")))),
)

const insert = prepare((db) =>
  db.insert(contactTable).values({
    id: idParam("id"),
    projectId: idParam("projectId"),
    email: placeholder("email"),
    subscribed: placeholder("subscribed"),
    data: placeholder("data"),
    createdAt: placeholder("createdAt"),
    updatedAt: placeholder("updatedAt"),
  }),
)

export async function findByEmail(db: Db, projectId: string, email: string): Promise<Contact | undefined> {
  const [row] = await byEmail(db, { projectId, email })
  return row
}

export async function findById(db: Db, projectId: string, id: string): Promise<Contact | undefined> {
  const [row] = await byId(db, { projectId, id })
  return row
}

export async function insertContact(unit: Unit, contact: Contact): Promise<void> {
  await insert(unit.db, { ...contact })
}

const update = prepare((db) =>
  db
    .update(contactTable)
    .set({
      subscribed: sql`${placeholder("subscribed")}`,
      data: sql`${placeholder("data")}`,
      updatedAt: sql`${placeholder("updatedAt")}`,
    })
    .where(and(eq(contactTable.projectId, idParam("projectId")), eq(contactTable.id, idParam("id")))),
)

/** Saves what may change of a contact, except the address. Parameters of a raw expression are not encoded by their column. */
export async function saveContact(
  unit: Unit,
  { id, projectId, subscribed, data, updatedAt }: Omit<Contact, "email">,
): Promise<void> {
  const values = { id, projectId, updatedAt, subscribed: Number(subscribed), data: JSON.stringify(data) }
  await update(unit.db, values)
}

/** Apart from `saveContact`, so that contacts that keep their address do not touch the indexes it is in. */
export async function saveAddress(unit: Unit, { id, projectId, email }: Contact): Promise<void> {
  await unit.db
    .update(contactTable)
    .set({ email })
    .where(and(eq(contactTable.projectId, projectId), eq(contactTable.id, id)))
}

const remove = prepare((db) =>
  db
    .delete(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), eq(contactTable.id, idParam("id"))))
    .returning({ id: contactTable.id }),
)

/** Deletes a contact with its events and emails; false when there is none. Triggers keep the counts. */
export async function deleteContact(unit: Unit, projectId: string, id: string): Promise<boolean> {
  return (await remove(unit.db, { projectId, id })).length > 0
}

const counts = prepare((db) => {
  const { subscribed, unsubscribed, moves, flips } = contactCountTable
  return db
    .select({ subscribed, unsubscribed, moves, flips })
    .from(contactCountTable)
    .where(eq(contactCountTable.projectId, idParam("projectId")))
})

/** How many contacts a project has; the cost does not depend on their number. */
export async function countContacts(db: Db, projectId: string): Promise<ContactCount> {
  const [row] = await counts(db, { projectId })
  return row ?? { subscribed: 0, unsubscribed: 0, moves: 0, flips: 0 }
}

const known = prepare((db) =>
  db
    .select({ email: contactTable.email })
    .from(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), isOneOf(contactTable.email, placeholder("emails")))),
)

/** Those of the addresses, in canonical form, that belong to contacts. */
export async function findAddresses(db: Db, projectId: string, emails: readonly string[]): Promise<Set<string>> {
  const rows = await known(db, { projectId, emails: JSON.stringify(emails) })
  return new Set(rows.map(({ email }) => email))
}

/** The columns for finding and sorting contacts. */
export type ContactSummary = Pick<ContactRow, "seq" | "id" | "projectId" | "email" | "subscribed" | "createdAt">
const { seq, id, projectId, email, subscribed, createdAt } = contactTable
export const summaryColumns = { seq, id, projectId, email, subscribed, createdAt }

/**
 * Deletes all contacts and fields of a project. Triggers update the search index and the row of counts, which stays:
 * its `moves` invalidates earlier counts.
 */
export async function eraseContacts(unit: Unit, projectId: string): Promise<void> {
  await unit.db.delete(fieldDropTable).where(eq(fieldDropTable.projectId, projectId))
  await unit.db.delete(fieldTable).where(eq(fieldTable.projectId, projectId))
  await unit.db.delete(contactTable).where(eq(contactTable.projectId, projectId))
}

import { and, eq, gt, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Contact, contactTable, type FieldType, fieldTable } from "./table.ts"

const hole = sql.placeholder

const byEmail = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(and(eq(contactTable.projectId, hole("projectId")), eq(contactTable.email, hole("email")))),
)

const byId = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(and(eq(contactTable.projectId, hole("projectId")), eq(contactTable.id, hole("id")))),
)

const insert = prepare((db) =>
  db.insert(contactTable).values({
    id: hole("id"),
    projectId: hole("projectId"),
    email: hole("email"),
    subscribed: hole("subscribed"),
    data: hole("data"),
    createdAt: hole("createdAt"),
    updatedAt: hole("updatedAt"),
  }),
)

/** One statement per new key of a contact: the first one ever also fixes the type of the field. */
const countField = prepare((db) =>
  db
    .insert(fieldTable)
    .values({
      projectId: hole("projectId"),
      key: hole("key"),
      type: hole("type"),
      contactCount: 1,
    })
    .onConflictDoUpdate({
      target: [fieldTable.projectId, fieldTable.key],
      set: { contactCount: sql`${fieldTable.contactCount} + 1` },
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
      email: sql`${hole("email")}`,
      subscribed: sql`${hole("subscribed")}`,
      data: sql`${hole("data")}`,
      updatedAt: sql`${hole("updatedAt")}`,
    })
    .where(and(eq(contactTable.projectId, hole("projectId")), eq(contactTable.id, hole("id")))),
)

/** Parameters of a raw expression are not encoded by their column, so this does it. */
export async function saveContact(
  unit: Unit,
  { id, projectId, email, subscribed, data, updatedAt }: Contact,
): Promise<void> {
  const values = { id, projectId, email, updatedAt, subscribed: Number(subscribed), data: JSON.stringify(data) }
  await update(unit.db, values)
}

export async function addField(unit: Unit, projectId: string, key: string, type: FieldType): Promise<void> {
  await countField(unit.db, { projectId, key, type })
}

export async function dropField(unit: Unit, projectId: string, key: string): Promise<void> {
  await unit.db
    .update(fieldTable)
    .set({ contactCount: sql`${fieldTable.contactCount} - 1` })
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key), gt(fieldTable.contactCount, 0)))
}

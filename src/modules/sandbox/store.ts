import { and, eq, min, notInArray, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { emailTable } from "../emails/index.ts"
import { capturedTable, rawMessageTable } from "./table.ts"

const placeholder = sql.placeholder

const insertRaw = prepare((db) =>
  db
    .insert(rawMessageTable)
    .values({ bytes: placeholder("bytes") })
    .returning({ id: rawMessageTable.id }),
)

const insertCaptured = prepare((db) =>
  db
    .insert(capturedTable)
    .values({ emailId: placeholder("emailId"), rawId: placeholder("rawId") })
    .onConflictDoUpdate({ target: capturedTable.emailId, set: { rawId: sql`excluded.raw_id` } }),
)

/** Stores the bytes of a message for its emails, one per recipient. */
export async function saveRaw(unit: Unit, bytes: Uint8Array, emailIds: readonly string[]): Promise<void> {
  const [kept] = await insertRaw(unit.db, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
  for (const emailId of emailIds) await insertCaptured(unit.db, { emailId, rawId: kept?.id })
}

export async function findRaw(db: Db, emailId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ bytes: rawMessageTable.bytes })
    .from(capturedTable)
    .innerJoin(rawMessageTable, eq(rawMessageTable.id, capturedTable.rawId))
    .where(eq(capturedTable.emailId, emailId))
  return row?.bytes
}

/** All records of the message of an email: itself, and those for other recipients. */
export async function listRecordsOfMessage(unit: Unit, projectId: string, id: string): Promise<string[]> {
  const own = and(eq(emailTable.projectId, projectId), eq(emailTable.id, id))
  const [record] = await unit.db.select({ leadId: emailTable.leadId }).from(emailTable).where(own)
  if (record === undefined) return []
  const lead = record.leadId ?? id
  const copies = await unit.db.select({ id: emailTable.id }).from(emailTable).where(eq(emailTable.leadId, lead))
  return [lead, ...copies.map((copy) => copy.id)]
}

/** Makes the next record of a message the first one, because that is being deleted. */
export async function passLeadOn(unit: Unit, id: string): Promise<void> {
  const isCopy = eq(emailTable.leadId, id)
  const [next] = await unit.db
    .select({ id: min(emailTable.id) })
    .from(emailTable)
    .where(isCopy)
  if (!next?.id) return
  await unit.db.update(emailTable).set({ leadId: next.id }).where(isCopy)
  await unit.db.update(emailTable).set({ leadId: null }).where(eq(emailTable.id, next.id))
}

/** Deletes one email of a project, or all of them; resolves to how many were deleted. */
export async function deleteEmails(unit: Unit, projectId: string, id?: string): Promise<number> {
  const rows = await unit.db
    .delete(emailTable)
    .where(and(eq(emailTable.projectId, projectId), id === undefined ? undefined : eq(emailTable.id, id)))
    .returning({ id: emailTable.id })
  const wanted = unit.db.select({ id: capturedTable.rawId }).from(capturedTable)
  await unit.db.delete(rawMessageTable).where(notInArray(rawMessageTable.id, wanted))
  return rows.length
}

import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { byteLength, idParam, isOneOf } from "../../store/dialect.ts"
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
    .values({ emailId: idParam("emailId"), rawId: placeholder("rawId") })
    .onConflictDoUpdate({ target: capturedTable.emailId, set: { rawId: sql`excluded.raw_id` } }),
)

/** Stores the bytes of a message for its emails, one per recipient. */
export async function saveOriginal(unit: Unit, bytes: Uint8Array, emailIds: readonly string[]): Promise<void> {
  const [kept] = await insertRaw(unit.db, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
  for (const emailId of emailIds) await insertCaptured(unit.db, { emailId, rawId: kept?.id })
}

const originalOf = prepare((db) =>
  db
    .select({ bytes: rawMessageTable.bytes })
    .from(capturedTable)
    .innerJoin(rawMessageTable, eq(rawMessageTable.id, capturedTable.rawId))
    .where(eq(capturedTable.emailId, idParam("emailId"))),
)

export async function findOriginal(db: Db, emailId: string): Promise<Uint8Array | undefined> {
  const [row] = await originalOf(db, { emailId })
  return row?.bytes
}

const sizes = prepare((db) =>
  db
    .select({ emailId: capturedTable.emailId, rawId: capturedTable.rawId, size: byteLength(rawMessageTable.bytes) })
    .from(capturedTable)
    .innerJoin(rawMessageTable, eq(rawMessageTable.id, capturedTable.rawId))
    .where(isOneOf(capturedTable.emailId, placeholder("emailIds"))),
)

/** The messages of emails with their sizes in bytes, so that they can be read in parts. */
export const listOriginalSizes = (db: Db, emailIds: readonly string[]) =>
  sizes(db, { emailIds: JSON.stringify(emailIds) })

const byIds = prepare((db) =>
  db
    .select()
    .from(rawMessageTable)
    .where(isOneOf(rawMessageTable.id, placeholder("rawIds"))),
)

/** Messages by their own ids, in any order. */
export const readOriginals = (db: Db, rawIds: readonly number[]) => byIds(db, { rawIds: JSON.stringify(rawIds) })

/**
 * Deletes the messages of the oldest `limit` emails as far as those were stored before a time; resolves to the number of
 * emails. Those of one message follow each other.
 */
export async function deleteOldOriginals(unit: Unit, before: number, limit: number): Promise<number> {
  const { emailId, rawId } = capturedTable
  const oldest = await unit.db
    .select({ emailId, rawId, createdAt: emailTable.createdAt })
    .from(capturedTable)
    .innerJoin(emailTable, eq(emailTable.id, emailId))
    .orderBy(asc(emailId))
    .limit(limit)
  const due = oldest.filter(({ createdAt }) => createdAt < before)
  await deleteRaw(unit, [...new Set(due.map((one) => one.rawId))])
  const ids = due.map((one) => one.emailId)
  if (ids.length > 0) await unit.db.delete(capturedTable).where(inArray(emailId, ids))
  return ids.length
}

/** At most `limit` messages whose emails are deleted. Reads all of them; no email will name them again. */
export async function listUnused(db: Db, limit: number): Promise<number[]> {
  const { id } = rawMessageTable
  const wanted = db.select({ id: capturedTable.rawId }).from(capturedTable)
  const rows = await db.select({ id }).from(rawMessageTable).where(notInArray(id, wanted)).limit(limit)
  return rows.map((row) => row.id)
}

export async function deleteRaw(unit: Unit, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await unit.db.delete(rawMessageTable).where(inArray(rawMessageTable.id, [...ids]))
}

/** The messages of emails, by their ids: those that are about to be deleted. */
export async function listOriginals(db: Db, emailIds: readonly string[]): Promise<number[]> {
  const { emailId, rawId } = capturedTable
  const rows = await db
    .selectDistinct({ rawId })
    .from(capturedTable)
    .where(inArray(emailId, [...emailIds]))
  return rows.map((row) => row.rawId)
}

/** Deletes the messages of emails that are about to be deleted, with all other emails that have them. */
export const deleteOriginals = async (unit: Unit, emailIds: readonly string[]): Promise<void> =>
  deleteRaw(unit, await listOriginals(unit.db, emailIds))

/** Deletes all messages whose emails are deleted. */
export async function deleteUnusedOriginals(unit: Unit): Promise<void> {
  const { id } = rawMessageTable
  const wanted = unit.db.select({ id: capturedTable.rawId }).from(capturedTable)
  await unit.db.delete(rawMessageTable).where(notInArray(id, wanted))
}

/** Deletes the messages of a project, whose emails are about to be deleted. */
export async function eraseOriginals(unit: Unit, projectId: string): Promise<void> {
  const { emailId, rawId } = capturedTable
  const own = unit.db
    .select({ rawId })
    .from(capturedTable)
    .innerJoin(emailTable, and(eq(emailTable.id, emailId), eq(emailTable.projectId, projectId)))
  await unit.db.delete(rawMessageTable).where(inArray(rawMessageTable.id, own))
}

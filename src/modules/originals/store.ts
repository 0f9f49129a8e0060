import { and, eq, inArray, notInArray, sql } from "drizzle-orm"
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
export async function saveOriginal(unit: Unit, bytes: Uint8Array, emailIds: readonly string[]): Promise<void> {
  const [kept] = await insertRaw(unit.db, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
  for (const emailId of emailIds) await insertCaptured(unit.db, { emailId, rawId: kept?.id })
}

export async function findOriginal(db: Db, emailId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ bytes: rawMessageTable.bytes })
    .from(capturedTable)
    .innerJoin(rawMessageTable, eq(rawMessageTable.id, capturedTable.rawId))
    .where(eq(capturedTable.emailId, emailId))
  return row?.bytes
}

/** Deletes at most `limit` messages, or all, whose emails are deleted; resolves to how many. */
export async function dropUnused(unit: Unit, limit?: number): Promise<number> {
  const { id } = rawMessageTable
  const wanted = unit.db.select({ id: capturedTable.rawId }).from(capturedTable)
  const unused = unit.db.select({ id }).from(rawMessageTable).where(notInArray(id, wanted))
  const few = limit === undefined ? unused : unused.limit(limit)
  return (await unit.db.delete(rawMessageTable).where(inArray(id, few)).returning({ id })).length
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

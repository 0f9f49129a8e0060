import { and, asc, eq, inArray, lte, max } from "drizzle-orm"
import type { Bus } from "../../bus/bus.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { emailTable, passLeadsOn } from "../emails/index.ts"
import { deleteOriginals, deleteRaw, deleteUnusedOriginals, listOriginals } from "../originals/index.ts"

/** The recipients and subjects of these mails; those that are deleted are absent. */
export async function listMails(db: Db, ids: readonly string[]) {
  const { id, to, subject, campaignId } = emailTable
  if (ids.length === 0) return []
  return db
    .select({ id, to, subject, campaignId })
    .from(emailTable)
    .where(inArray(id, [...ids]))
}

/** The number of the present attempt to send a mail, from 1. */
export async function attemptOf(db: Db, emailId: string): Promise<number> {
  const [row] = await db.select({ attempt: emailTable.attempt }).from(emailTable).where(eq(emailTable.id, emailId))
  return row?.attempt ?? 1
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

/** Deletes records of one message of a project, and the message itself with its last record. */
export async function deleteRecords(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  const [first] = ids
  if (first === undefined) return
  const others = (await listRecordsOfMessage(unit, projectId, first)).filter((id) => !ids.includes(id))
  const originals = await listOriginals(unit.db, ids)
  const needed = new Set(others.length > 0 ? await listOriginals(unit.db, others) : [])
  await passLeadsOn(bus, unit, projectId, ids)
  await unit.db.delete(emailTable).where(and(eq(emailTable.projectId, projectId), inArray(emailTable.id, [...ids])))
  await deleteRaw(
    unit,
    originals.filter((id) => !needed.has(id)),
  )
}

/** The newest email of a project. */
export async function newestEmail(db: Db, projectId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: max(emailTable.id) })
    .from(emailTable)
    .where(eq(emailTable.projectId, projectId))
  return row?.id ?? undefined
}

/**
 * Deletes the `limit` oldest emails of a project up to the one with the id `until`, fewer when there are no more, and the
 * other records of the last message; resolves to the former.
 */
export async function deleteOldest(unit: Unit, projectId: string, until: string, limit: number) {
  const { id, campaignId } = emailTable
  const oldest = await unit.db
    .select({ id, campaignId })
    .from(emailTable)
    .where(and(eq(emailTable.projectId, projectId), lte(id, until)))
    .orderBy(asc(id))
    .limit(limit)
  const last = oldest.at(-1)
  if (last === undefined) return []
  const ids = [
    ...new Set([...oldest.map((email) => email.id), ...(await listRecordsOfMessage(unit, projectId, last.id))]),
  ]
  await deleteOriginals(unit, ids)
  await unit.db.delete(emailTable).where(inArray(id, ids))
  return oldest
}

/** Deletes all emails of a project. */
export async function deleteEmails(unit: Unit, projectId: string): Promise<void> {
  await unit.db.delete(emailTable).where(eq(emailTable.projectId, projectId))
  await deleteUnusedOriginals(unit)
}

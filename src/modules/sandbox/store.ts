import { and, eq, inArray, min } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { emailTable } from "../emails/index.ts"
import { dropUnused } from "../originals/index.ts"

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
  await dropUnused(unit)
  return rows.length
}

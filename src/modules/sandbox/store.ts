import { and, eq, min } from "drizzle-orm"
import type { Unit } from "../../store/writer.ts"
import { emailTable } from "../emails/index.ts"
import { dropUnused } from "../originals/index.ts"

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

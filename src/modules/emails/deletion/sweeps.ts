import { and, asc, eq, gt, inArray, lt, notInArray, type SQL, sql } from "drizzle-orm"
import type { Config } from "../../../config.ts"
import { day } from "../../../kernel/clock.ts"
import type { Sweep } from "../../../module.ts"
import type { Unit } from "../../../store/writer.ts"
import { usedAtLag } from "../content/content.ts"
import { contentTable, emailTable, linkTable } from "../table.ts"
import { linkUsedAtLag } from "../tracking/links.ts"

/** The `contentHash` of messages whose content was cleared. */
const cleared = ""

/** Links are kept for long, because people click on them in old mail. */
const linkMs = 365 * day

/** Deletes the content of old mail, and the links that no mail of the last year has (contract B10.1, B10.6). */
export const createEmailSweeps = ({ contentMs }: Pick<Config["retention"], "contentMs">): Sweep[] => [
  ...(contentMs === 0
    ? []
    : [
        {
          name: "content",
          async run(each) {
            await each((unit, limit) => clearEmails(unit, unit.now - contentMs, limit))
            await each((unit, limit) => deleteContent(unit, unit.now - contentMs, limit))
          },
        } satisfies Sweep,
      ]),
  { name: "links", run: (each) => each((unit, limit) => deleteLinks(unit, unit.now - linkMs - linkUsedAtLag, limit)) },
]

/** Mail with content that was stored before this time. The literal makes the partial index usable. */
const hasContentBefore = (at: number): SQL | undefined =>
  and(gt(emailTable.contentHash, sql.raw("''")), lt(emailTable.createdAt, at))

/** Clears the content of old mail, except mail that still waits to be sent. */
async function clearEmails(unit: Unit, before: number, limit: number): Promise<number> {
  const due = unit.db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(and(hasContentBefore(before), notInArray(emailTable.status, ["PENDING", "SENDING"])))
    .orderBy(asc(emailTable.createdAt))
    .limit(limit)
  const rows = await unit.db
    .update(emailTable)
    .set({ contentHash: cleared, variables: null })
    .where(inArray(emailTable.id, due))
    .returning({ id: emailTable.id })
  return rows.length
}

/**
 * Deletes content that only cleared mail has used: what was not used since, except by mail that still waits. New mail
 * with the same content has stored its use in the unit that named it, or at most an hour before.
 */
async function deleteContent(unit: Unit, before: number, limit: number): Promise<number> {
  const { projectId, hash, usedAt } = contentTable
  const waiting = unit.db.select({ hash: emailTable.contentHash }).from(emailTable).where(hasContentBefore(before))
  const due = await unit.db
    .select({ projectId, hash })
    .from(contentTable)
    .where(and(lt(usedAt, before - usedAtLag), notInArray(hash, waiting)))
    .limit(limit)
  for (const one of due) await unit.db.delete(contentTable).where(and(eq(projectId, one.projectId), eq(hash, one.hash)))
  return due.length
}

async function deleteLinks(unit: Unit, before: number, limit: number): Promise<number> {
  const { hash, usedAt } = linkTable
  const due = unit.db.select({ hash }).from(linkTable).where(lt(usedAt, before)).orderBy(asc(usedAt)).limit(limit)
  return (await unit.db.delete(linkTable).where(inArray(hash, due)).returning({ hash })).length
}

import { and, type Column, count, desc, eq, lt, or, type SQL } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { containsText } from "../../store/dialect.ts"
import { type Email, type EmailStatus, emailTable, type SourceType } from "./table.ts"

export interface EmailFilter {
  readonly status?: EmailStatus | undefined
  readonly sourceType?: SourceType | undefined
  readonly contactId?: string | undefined
  readonly campaignId?: string | undefined
  readonly templateId?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
}

const is = (column: Column, wanted: string | undefined): SQL | undefined =>
  wanted === undefined ? undefined : eq(column, wanted)

const where = (projectId: string, filter: EmailFilter): SQL | undefined =>
  and(
    eq(emailTable.projectId, projectId),
    is(emailTable.status, filter.status),
    is(emailTable.sourceType, filter.sourceType),
    is(emailTable.contactId, filter.contactId),
    is(emailTable.campaignId, filter.campaignId),
    is(emailTable.templateId, filter.templateId),
    is(emailTable.to, filter.to),
    filter.search === undefined
      ? undefined
      : or(containsText(emailTable.to, filter.search), containsText(emailTable.subject, filter.search)),
  )

/** Newest first: ids rise with time, so they are the sort key. */
export const listEmails = (
  db: Db,
  projectId: string,
  filter: EmailFilter,
  after: string | undefined,
  limit: number,
): Promise<Email[]> =>
  db
    .select()
    .from(emailTable)
    .where(and(where(projectId, filter), after === undefined ? undefined : lt(emailTable.id, after)))
    .orderBy(desc(emailTable.id))
    .limit(limit)

export async function countEmails(db: Db, projectId: string, filter: EmailFilter): Promise<number> {
  const [row] = await db.select({ count: count() }).from(emailTable).where(where(projectId, filter))
  return row?.count ?? 0
}

export async function findEmailOf(db: Db, projectId: string, id: string): Promise<Email | undefined> {
  const [row] = await db
    .select()
    .from(emailTable)
    .where(and(eq(emailTable.projectId, projectId), eq(emailTable.id, id)))
  return row
}

import { and, type Column, count, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { containsText, unindexed } from "../../store/dialect.ts"
import type { Store } from "../../store/store.ts"
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

export interface EmailPage {
  readonly rows: readonly Email[]
  /** All matches; 0 behind the first page (contract A1.4.3). */
  readonly total: number
}

/** The column whose index leads to the rows of a list; what else is asked for only sorts them out. */
export interface Way {
  readonly column: Column
  readonly value: string
}

/** As a rule a contact has the fewest mails, and a campaign has fewer than the template it is made of. */
export function wayOf(projectId: string, { contactId, campaignId, templateId }: EmailFilter): Way {
  if (contactId !== undefined) return { column: emailTable.contactId, value: contactId }
  if (campaignId !== undefined) return { column: emailTable.campaignId, value: campaignId }
  if (templateId !== undefined) return { column: emailTable.templateId, value: templateId }
  return { column: emailTable.projectId, value: projectId }
}

/** What sorts out the rows that a way leads to; undefined when all of them belong to the list. */
export function sieveOf(way: Way, filter: EmailFilter): SQL | undefined {
  const { status, sourceType, contactId, campaignId, templateId, to, search } = filter
  const is = (column: Column, wanted: string | undefined): SQL | undefined =>
    wanted === undefined || column === way.column ? undefined : sql`${unindexed(column)} = ${wanted}`
  return and(
    is(emailTable.contactId, contactId),
    is(emailTable.campaignId, campaignId),
    is(emailTable.templateId, templateId),
    is(emailTable.status, status),
    is(emailTable.sourceType, sourceType),
    is(emailTable.to, to),
    search === undefined
      ? undefined
      : or(containsText(emailTable.to, search), containsText(emailTable.subject, search)),
  )
}

const isOn = ({ column, value }: Way): SQL => eq(column, value)
const newestFirst = desc(emailTable.id)

/** The project that the mails of a way are of: those of a contact, a campaign or a template are all of one. */
export async function projectOf(db: Db, way: Way): Promise<string | undefined> {
  if (way.column === emailTable.projectId) return way.value
  const { projectId } = emailTable
  const [newest] = await db.select({ projectId }).from(emailTable).where(isOn(way)).orderBy(newestFirst).limit(1)
  return newest?.projectId
}

/** How many mails a way leads to; `most` for more than that. */
export async function reachOf(db: Db, way: Way, most: number): Promise<number> {
  const reached = db.select({ one: sql`1` }).from(emailTable).where(isOn(way)).limit(most).as("reached")
  const [row] = await db.select({ count: count() }).from(reached)
  return row?.count ?? 0
}

/** The ids of a page, newest first: they rise with time, so they are the sort key. */
export const idsOnPage = (db: Db, way: Way, sieve: SQL | undefined, after: string | undefined, limit: number) =>
  db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(and(isOn(way), sieve, after === undefined ? undefined : lt(emailTable.id, after)))
    .orderBy(newestFirst)
    .limit(limit)

export const countEmails = (db: Db, way: Way, sieve: SQL | undefined) =>
  db
    .select({ count: count().as("count") })
    .from(emailTable)
    .where(and(isOn(way), sieve))

/** Emails by their ids, newest first. */
export async function listByIds(db: Db, projectId: string, ids: string[]): Promise<Email[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(emailTable)
    .where(and(inArray(emailTable.id, ids), sql`${unindexed(emailTable.projectId)} = ${projectId}`))
    .orderBy(newestFirst)
}

/** Mails that are looked through at once; more are off the event loop. */
const few = 2_000

/** Lists of emails, newest first (contract A4.5). */
export const createEmailLists =
  ({ read, readPool }: Pick<Store, "read" | "readPool">) =>
  async (projectId: string, filter: EmailFilter, after: string | undefined, limit: number): Promise<EmailPage> => {
    const way = wayOf(projectId, filter)
    if ((await projectOf(read, way)) !== projectId) return { rows: [], total: 0 }
    const sieve = sieveOf(way, filter)
    const isLong = (await reachOf(read, way, few + 1)) > few
    const page = idsOnPage(read, way, sieve, after, limit)
    const found = isLong && sieve !== undefined ? await readPool.read<{ id: string }>(page) : await page
    const rows = await listByIds(
      read,
      projectId,
      found.map(({ id }) => id),
    )
    if (after !== undefined) return { rows, total: 0 }
    if (found.length < limit) return { rows, total: found.length }
    const everything = countEmails(read, way, sieve)
    const [total] = isLong ? await readPool.read<{ count: number }>(everything) : await everything
    return { rows, total: total?.count ?? 0 }
  }

export async function findEmailOf(db: Db, projectId: string, id: string): Promise<Email | undefined> {
  const [row] = await db
    .select()
    .from(emailTable)
    .where(and(eq(emailTable.projectId, projectId), eq(emailTable.id, id)))
  return row
}

import { and, type Column, count, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm"
import { fillPage } from "../../../http/page.ts"
import { canonicalPart } from "../../../kernel/email-address.ts"
import { maxId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { containsText, idParam, isUnindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Store } from "../../../store/store.ts"
import { createTextSearch, type Scan, type TextSearch } from "../search/find.ts"
import { isWithin } from "../search/store.ts"
import { type Email, type EmailStatus, emailCountTable, emailTable, type SourceType } from "../table.ts"

export interface EmailFilter {
  readonly status?: EmailStatus | undefined
  readonly sourceType?: SourceType | undefined
  readonly contactId?: string | undefined
  readonly campaignId?: string | undefined
  readonly templateId?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
}

interface EmailPage {
  readonly rows: readonly Email[]
  /** All matches; 0 after the first page (contract A1.4.3). */
  readonly total: number
}

/** The column whose index finds the rows of a list; the other filters are applied to the rows found. */
interface AccessPath {
  readonly column: Column
  readonly value: string
}

/** Usually a contact has the fewest mails, and a campaign has fewer than its template. */
function accessPathOf(projectId: string, { contactId, campaignId, templateId }: EmailFilter): AccessPath {
  if (contactId !== undefined) return { column: emailTable.contactId, value: contactId }
  if (campaignId !== undefined) return { column: emailTable.campaignId, value: campaignId }
  if (templateId !== undefined) return { column: emailTable.templateId, value: templateId }
  return { column: emailTable.projectId, value: projectId }
}

/** The filters in addition to the access path; undefined when there are none. */
function filterOf(path: AccessPath, filter: EmailFilter): SQL | undefined {
  const { status, sourceType, contactId, campaignId, templateId, to, search } = filter
  const is = (column: Column, wanted: string | undefined): SQL | undefined =>
    wanted === undefined || column === path.column ? undefined : isUnindexed(column, wanted)
  return and(
    is(emailTable.contactId, contactId),
    is(emailTable.campaignId, campaignId),
    is(emailTable.templateId, templateId),
    is(emailTable.status, status),
    is(emailTable.sourceType, sourceType),
    is(emailTable.to, to),
    search === undefined
      ? undefined
      : or(
          containsText(emailTable.subject, search),
          ...formsOf(search).map((form) => containsText(emailTable.to, form)),
        ),
  )
}

/** The forms in which a text may stand in an address: one with `@` or `.` beyond ASCII may be of a domain. */
function formsOf(text: string): readonly string[] {
  if (!/[@.]/.test(text) || !/\P{ASCII}/u.test(text)) return [text]
  const canonical = canonicalPart(text)
  return canonical.includes("xn--") ? [text, canonical] : [text]
}

const isOn = ({ column, value }: AccessPath): SQL => eq(column, value)
const newestFirst = desc(emailTable.id)

/** The project whose mails an access path finds: all mails of a contact, a campaign or a template are in one. */
async function projectOf(db: Db, path: AccessPath): Promise<string | undefined> {
  if (path.column === emailTable.projectId) return path.value
  const { projectId } = emailTable
  const [newest] = await db.select({ projectId }).from(emailTable).where(isOn(path)).orderBy(newestFirst).limit(1)
  return newest?.projectId
}

/** How many mails an access path finds; `most` for that many or more. */
async function countUpTo(db: Db, path: AccessPath, most: number): Promise<number> {
  const reached = db.select({ one: sql`1` }).from(emailTable).where(isOn(path)).limit(most).as("reached")
  const [row] = await db.select({ count: count() }).from(reached)
  return row?.count ?? 0
}

/** The ids of a page, newest first: they increase with time, so they are the sort key. */
const idsOnPage = (db: Db, path: AccessPath, rest: SQL | undefined, after: string | undefined, limit: number) =>
  db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(and(isOn(path), rest, after === undefined ? undefined : lt(emailTable.id, after)))
    .orderBy(newestFirst)
    .limit(limit)

const countEmails = (db: Db, path: AccessPath, rest: SQL | undefined) =>
  db
    .select({ count: count().as("count") })
    .from(emailTable)
    .where(and(isOn(path), rest))

/** Emails by their ids, newest first. */
async function listByIds(db: Db, projectId: string, ids: readonly string[], rest?: SQL): Promise<Email[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(emailTable)
    .where(and(inArray(emailTable.id, [...ids]), isUnindexed(emailTable.projectId, projectId), rest))
    .orderBy(newestFirst)
}

/** Up to this many mails are read on the event loop, more on a thread. */
const few = 2_000

const { placeholder } = sql
const ofProject = eq(emailTable.projectId, idParam("projectId"))
const isBefore = lt(emailTable.id, idParam("before"))
const pageOfProject = prepare((db) =>
  db.select().from(emailTable).where(and(ofProject, isBefore)).orderBy(newestFirst).limit(placeholder("limit")),
)

const pageOfStatus = prepare((db) =>
  db
    .select()
    .from(emailTable)
    .where(and(ofProject, eq(emailTable.status, placeholder("status")), isBefore))
    .orderBy(newestFirst)
    .limit(placeholder("limit")),
)

const countsOfProject = prepare((db) =>
  db
    .select({ status: emailCountTable.status, count: emailCountTable.count })
    .from(emailCountTable)
    .where(eq(emailCountTable.projectId, idParam("projectId"))),
)

/** All mails of a project, or those with a status: their number is known, and each page is one piece of an index. */
async function listPlain(
  db: Db,
  projectId: string,
  status: EmailStatus | undefined,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EmailPage> {
  const range = { projectId, before: after ?? maxId, limit }
  const rows = await (status === undefined ? pageOfProject(db, range) : pageOfStatus(db, { ...range, status }))
  if (after !== undefined) return { rows, total: 0 }
  const counts = await countsOfProject(db, { projectId })
  const total = counts
    .filter((each) => status === undefined || each.status === status)
    .reduce((sum, { count }) => sum + count, 0)
  return { rows, total }
}

const isEmpty = (filter: EmailFilter): boolean => Object.values(filter).every((value) => value === undefined)

/** Mails of a project by their text alone; undefined when the index cannot answer. */
async function listByText(
  read: Db,
  find: TextSearch,
  projectId: string,
  text: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EmailPage | undefined> {
  const path = accessPathOf(projectId, {})
  const contains = filterOf(path, { search: text })
  const scan: Scan = {
    ids: (db, range, most) => idsOnPage(db, path, and(contains, isWithin(range)), after, most),
    count: (db, range) => countEmails(db, path, and(contains, isWithin(range))),
  }
  const found = await find({ projectId, text, after, limit }, scan)
  if (found === undefined) return undefined
  const rows = await listByIds(read, projectId, found.ids, contains)
  // Mails may be deleted between these reads.
  if (rows.length < found.ids.length) return undefined
  return { rows, total: after === undefined ? found.total : 0 }
}

/** Lists of emails, newest first (contract A4.5). */
export function createEmailLists(store: Pick<Store, "read" | "readPool">) {
  const { read, readPool } = store
  const find = createTextSearch(store)

  return async (
    projectId: string,
    filter: EmailFilter,
    after: string | undefined,
    limit: number,
  ): Promise<EmailPage> => {
    const { status, search, ...others } = filter
    if (isEmpty({ ...others, search })) return listPlain(read, projectId, status, { after, limit })
    // The index of texts looks for one.
    if (search !== undefined && isEmpty({ ...others, status }) && formsOf(search).length === 1) {
      const page = await listByText(read, find, projectId, search, { after, limit })
      if (page !== undefined) return page
    }
    const path = accessPathOf(projectId, filter)
    if ((await projectOf(read, path)) !== projectId) return { rows: [], total: 0 }
    const rest = filterOf(path, filter)
    const isLong = (await countUpTo(read, path, few + 1)) > few
    const rows = await fillPage<{ id: string }, Email>(
      limit,
      async (last, wanted) => {
        const page = (db: Db) => idsOnPage(db, path, rest, last?.id ?? after, wanted)
        return isLong && rest !== undefined ? readPool.read(projectId, page) : page(read)
      },
      (places) =>
        listByIds(
          read,
          projectId,
          places.map(({ id }) => id),
        ),
    )
    if (after !== undefined) return { rows, total: 0 }
    if (rows.length < limit) return { rows, total: rows.length }
    const everything = (db: Db) => countEmails(db, path, rest)
    const [total] = isLong ? await readPool.read(projectId, everything) : await everything(read)
    return { rows, total: total?.count ?? 0 }
  }
}

const byId = prepare((db) =>
  db
    .select()
    .from(emailTable)
    .where(and(ofProject, eq(emailTable.id, idParam("id")))),
)

export async function findEmailOf(db: Db, projectId: string, id: string): Promise<Email | undefined> {
  const [row] = await byId(db, { projectId, id })
  return row
}

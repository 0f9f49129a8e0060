import { and, asc, count, desc, eq, gt, inArray, lt, max, min, type SQL, sql } from "drizzle-orm"
import { fillPage } from "../../http/page.ts"
import type { Db } from "../../store/database.ts"
import type { Store } from "../../store/store.ts"
import { contentTable, type Email, emailTable } from "../emails/index.ts"
import { type CampaignRow, listCampaignRows } from "./campaigns.ts"
import { conditionOf, type InboxFilter, isGrouped, isSingle } from "./filter.ts"
import { findMarks, rowIdOf } from "./marks.ts"
import { inboxTextTable } from "./table.ts"
import { snippetOf } from "./text.ts"

/** A message, or a campaign represented by its first mail. */
export interface InboxRow {
  readonly email: Email
  readonly campaign: CampaignRow | null
  readonly unread: boolean
  /** Null until the message was indexed. */
  readonly snippet: string | null
  readonly attachmentCount: number
  /** All records of a received message, if there are several. */
  readonly recipients: readonly Email[]
}

interface InboxPage {
  readonly rows: readonly InboxRow[]
  /** All matches; 0 after the first page. */
  readonly total: number
}

/** Up to this many mails are read on the event loop, more on a thread. */
const few = 2_000
/** The number of characters from which a snippet is made; template tags may take many. */
const snippetSource = 600

/** The inbox, newest first: messages, and campaigns as one row each unless single mails are searched for. */
export function createInboxList({ read: db, readPool }: Pick<Store, "read" | "readPool">) {
  async function isLong(projectId: string): Promise<boolean> {
    const ofProject = eq(emailTable.projectId, projectId)
    const first = db
      .select({ one: sql`1` })
      .from(emailTable)
      .where(ofProject)
      .limit(few + 1)
      .as("first")
    const [row] = await db.select({ count: count() }).from(first)
    return (row?.count ?? 0) > few
  }

  async function matchingCampaigns(filter: InboxFilter): Promise<CampaignRow[]> {
    const { projectId, source, terms, readUpTo } = filter
    if (!isGrouped(filter) || (source !== undefined && source !== "CAMPAIGN")) return []
    const campaigns = await listCampaignRows(db, projectId)
    if (terms.length === 0) return campaigns
    const marks = await findMarks(
      db,
      projectId,
      campaigns.map(({ id }) => id),
    )
    const isRead = ({ id, first }: CampaignRow) => marks.get(id) ?? first <= readUpTo
    return campaigns.filter((one) => terms.every((term) => term.kind !== "read" || term.read === isRead(one)))
  }

  return async (filter: InboxFilter, after: string | undefined, limit: number): Promise<InboxPage> => {
    const { projectId } = filter
    const campaigns = await matchingCampaigns(filter)
    const condition = and(eq(emailTable.projectId, projectId), conditionOf(filter))
    const scans = (filter.source !== undefined || filter.terms.length > 0) && (await isLong(projectId))
    const rows = await fillPage<string, InboxRow>(
      limit,
      async (last = after, wanted) => {
        const page = (on: Db) => idsOf(on, condition, last, wanted)
        const found = await (scans ? readPool.read(projectId, page) : page(db))
        return [...found.map(({ id }) => id), ...campaigns.map(({ first }) => first)]
          .filter((id) => last === undefined || id < last)
          .sort((one, other) => (one < other ? 1 : -1))
          .slice(0, wanted)
      },
      (ids) => listRows(db, filter, [...ids], campaigns),
    )
    if (after !== undefined) return { rows, total: 0 }
    if (rows.length < limit) return { rows, total: rows.length }
    const all = (on: Db) =>
      on
        .select({ count: count().as("count") })
        .from(emailTable)
        .where(condition)
    const isMany = scans || (await isLong(projectId))
    const [total] = await (isMany ? readPool.read(projectId, all) : all(db))
    return { rows, total: (total?.count ?? 0) + campaigns.length }
  }
}

const idsOf = (db: Db, condition: SQL | undefined, after: string | undefined, limit: number) =>
  db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(and(condition, after === undefined ? undefined : lt(emailTable.id, after)))
    .orderBy(desc(emailTable.id))
    .limit(limit)

/** The rows of records by their ids, newest first, with everything that a list shows. */
export async function listRows(
  db: Db,
  { projectId, readUpTo }: Pick<InboxFilter, "projectId" | "readUpTo">,
  ids: string[],
  campaigns: readonly CampaignRow[],
): Promise<InboxRow[]> {
  if (ids.length === 0) return []
  const emails = await db.select().from(emailTable).where(inArray(emailTable.id, ids)).orderBy(desc(emailTable.id))
  const byFirst = new Map(campaigns.map((one) => [one.first, one]))
  const marks = await findMarks(db, projectId, emails.map(rowIdOf))
  const texts = await findTexts(db, projectId, [...new Set(emails.map(textSourceOf))])
  const copies = await listCopies(
    db,
    emails.filter(({ contentHash }) => contentHash === null).map(({ id }) => id),
  )
  return emails.map((email) => {
    const text = texts.get(textSourceOf(email))
    const others = copies.filter(({ leadId }) => leadId === email.id)
    return {
      email,
      campaign: byFirst.get(email.id) ?? null,
      unread: !(marks.get(rowIdOf(email)) ?? email.id <= readUpTo),
      snippet: text ? snippetOf(text.text, text.literal === false ? email : undefined) : null,
      attachmentCount: text?.attachments ?? 0,
      recipients: others.length > 0 ? [email, ...others] : [],
    }
  })
}

const textSourceOf = ({ contentHash, leadId, id }: Email): string => contentHash ?? leadId ?? id

async function findTexts(db: Db, projectId: string, wanted: string[]) {
  const { source, text, attachments } = inboxTextTable
  const rows = await db
    .select({
      source,
      attachments,
      text: sql<string>`substr(${text}, 1, ${snippetSource})`,
      literal: contentTable.literal,
    })
    .from(inboxTextTable)
    .leftJoin(contentTable, and(eq(contentTable.projectId, inboxTextTable.projectId), eq(contentTable.hash, source)))
    .where(and(eq(inboxTextTable.projectId, projectId), inArray(source, wanted)))
  return new Map(rows.map((row) => [row.source, row]))
}

/** The records of messages for their other recipients, in order. */
const listCopies = async (db: Db, ids: string[]): Promise<Email[]> =>
  ids.length === 0
    ? []
    : db.select().from(emailTable).where(inArray(emailTable.leadId, ids)).orderBy(asc(emailTable.id))

/** The previous and next row in the whole inbox, by the ids of their mails. */
export async function findNeighbours(db: Db, projectId: string, email: Email) {
  const campaigns = await listCampaignRows(db, projectId)
  const at = campaigns.find(({ id }) => id === email.campaignId)?.first ?? email.leadId ?? email.id
  const { id } = emailTable
  const isOf = and(eq(emailTable.projectId, projectId), isSingle)
  const [before] = await db
    .select({ id: max(id) })
    .from(emailTable)
    .where(and(isOf, lt(id, at)))
  const [after] = await db
    .select({ id: min(id) })
    .from(emailTable)
    .where(and(isOf, gt(id, at)))
  const firsts = campaigns.map(({ first }) => first)
  const older = [before?.id ?? "", ...firsts.filter((first) => first < at)].sort().at(-1)
  const newer = [after?.id ?? "~", ...firsts.filter((first) => first > at)].sort()[0]
  return { older: older || null, newer: newer === undefined || newer === "~" ? null : newer }
}

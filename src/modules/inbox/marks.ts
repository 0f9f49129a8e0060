import { and, count, eq, gt, inArray, lte, max, or, sql } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import { lastIdAt, nilId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import { idValue } from "../../store/dialect.ts"
import type { Unit } from "../../store/writer.ts"
import { type Email, emailChanged, emailTable, findEmailOf } from "../emails/index.ts"
import { listCampaignRows, listReachingBeyond } from "./campaigns.ts"
import { isSingle } from "./filter.ts"
import { inboxMarkTable, inboxStateTable, inboxTextTable } from "./table.ts"

/** The id of the row that is marked for a record: its campaign, or the first record of its message. */
export const rowIdOf = ({ id, campaignId, leadId }: Email): string => campaignId ?? leadId ?? id

export async function findReadUpTo(db: Db, projectId: string): Promise<string> {
  const [row] = await db.select().from(inboxStateTable).where(eq(inboxStateTable.projectId, projectId))
  return row?.readUpTo ?? nilId
}

/** The marks of some rows, by their ids. */
export async function findMarks(db: Db, projectId: string, rowIds: string[]): Promise<Map<string, boolean>> {
  if (rowIds.length === 0) return new Map()
  const { projectId: project, rowId, read } = inboxMarkTable
  const rows = await db
    .select({ rowId, read })
    .from(inboxMarkTable)
    .where(and(eq(project, projectId), inArray(rowId, rowIds)))
  return new Map(rows.map((row) => [row.rowId, row.read]))
}

const isOf = (projectId: string) => and(eq(emailTable.projectId, projectId), isSingle)

/**
 * The number of messages with a mark that differs from `upTo`. Not by a join or EXISTS, which may pass all
 * messages for a few marks.
 */
export async function countMarked(
  db: Db,
  { projectId, read, upTo }: { readonly projectId: string; readonly read: boolean; readonly upTo: string },
): Promise<number> {
  const { projectId: project, rowId, read: isRead } = inboxMarkTable
  const message = db
    .select({ one: sql`1` })
    .from(emailTable)
    .where(and(eq(emailTable.id, rowId), isOf(projectId)))
  const differs = read ? gt(rowId, upTo) : lte(rowId, upTo)
  const [row] = await db
    .select({ count: count() })
    .from(inboxMarkTable)
    .where(and(eq(project, projectId), eq(isRead, read), differs, sql`(${message}) IS NOT NULL`))
  return row?.count ?? 0
}

/**
 * Stores up to which record everything is read, at most up to now. Mail beyond that, which was created while the clock
 * was ahead, is marked individually, so that new mail after the clock was set back is unread.
 */
export async function saveReadUpTo(unit: Unit, projectId: string, wanted: string): Promise<void> {
  const now = lastIdAt(unit.now)
  const readUpTo = wanted < now ? wanted : now
  await unit.db
    .insert(inboxStateTable)
    .values({ projectId, readUpTo })
    .onConflictDoUpdate({ target: inboxStateTable.projectId, set: { readUpTo } })
  if (readUpTo === wanted) return
  const { id } = emailTable
  const messages = unit.db
    .select({ projectId: emailTable.projectId, rowId: id, read: sql<boolean>`1`.as("read") })
    .from(emailTable)
    .where(and(isOf(projectId), gt(id, readUpTo), lte(id, wanted)))
  await unit.db.insert(inboxMarkTable).select(messages).onConflictDoNothing()
  const campaigns = (await listCampaignRows(unit.db, projectId)).filter(({ first }) => first > now && first <= wanted)
  for (const { id: rowId } of campaigns)
    await unit.db.insert(inboxMarkTable).values({ projectId, rowId, read: true }).onConflictDoNothing()
}

/** Up to this many messages are counted on the event loop, more on a thread. */
const few = 2_000

/** Read marks, shared by all members of a project. Every change is emitted for live views. */
export function createMarks({ store, bus }: Pick<Engine, "store" | "bus">) {
  const { read: db, readPool } = store

  async function countAfter(projectId: string, upTo: string): Promise<number> {
    const after = and(isOf(projectId), gt(emailTable.id, upTo))
    const first = db
      .select({ one: sql`1` })
      .from(emailTable)
      .where(after)
      .limit(few + 1)
      .as("first")
    const [soFar] = await db.select({ count: count() }).from(first)
    if ((soFar?.count ?? 0) <= few) return soFar?.count ?? 0
    const [all] = await readPool.read(projectId, (on) =>
      on
        .select({ count: count().as("count") })
        .from(emailTable)
        .where(after),
    )
    return all?.count ?? 0
  }

  async function countUnread(projectId: string): Promise<number> {
    const upTo = await findReadUpTo(db, projectId)
    const campaigns = await listCampaignRows(db, projectId)
    const marks = await findMarks(
      db,
      projectId,
      campaigns.map(({ id }) => id),
    )
    const unread = campaigns.filter(({ id, first }) => !(marks.get(id) ?? first <= upTo))
    const [after, read, again] = [
      await countAfter(projectId, upTo),
      await countMarked(db, { projectId, read: true, upTo }),
      await countMarked(db, { projectId, read: false, upTo }),
    ]
    return after - read + again + unread.length
  }

  const saveMark = (unit: Unit, projectId: string, rowId: string, read: boolean) =>
    unit.db
      .insert(inboxMarkTable)
      .values({ projectId, rowId, read })
      .onConflictDoUpdate({ target: [inboxMarkTable.projectId, inboxMarkTable.rowId], set: { read } })

  return {
    countUnread,

    /** Marks the message that a record belongs to, or its campaign. */
    mark: (projectId: string, id: string, read: boolean): Promise<void> =>
      store.write(projectId, async (unit) => {
        const email = await findEmailOf(unit.db, projectId, id)
        if (email === undefined) throw notFound("Email", id)
        await saveMark(unit, projectId, rowIdOf(email), read)
        await bus.emit(unit, emailChanged, projectId, { id: email.leadId ?? id, change: "marked" })
      }),

    /** Marks everything up to a record as read, or everything. */
    markAll: (projectId: string, upTo: string | undefined): Promise<void> =>
      store.write(projectId, async (unit) => {
        if (upTo !== undefined && !(await findEmailOf(unit.db, projectId, upTo))) throw notFound("Email", upTo)
        const { id } = emailTable
        const [newest] = await unit.db
          .select({ id: max(id) })
          .from(emailTable)
          .where(eq(emailTable.projectId, projectId))
        const last = newest?.id ?? nilId
        const wanted = upTo ?? last
        const before = await findReadUpTo(unit.db, projectId)
        const readUpTo = [wanted, before].sort().at(-1) ?? wanted
        const { rowId, read } = inboxMarkTable
        const isMessage = sql`EXISTS (SELECT 1 FROM ${emailTable} WHERE ${id} = ${rowId})`
        const place = sql`coalesce((SELECT min(${id}) FROM ${emailTable} WHERE ${emailTable.campaignId} = ${rowId}), ${rowId})`
        await unit.db.delete(inboxMarkTable).where(
          and(
            eq(inboxMarkTable.projectId, projectId),
            or(
              // Those of newer messages stay, also of such that were read before.
              and(eq(read, false), sql`${place} <= ${idValue(wanted)}`),
              // A campaign may be older than its mails, so its read mark is kept.
              and(eq(read, true), lte(rowId, readUpTo), isMessage),
            ),
          ),
        )
        await saveReadUpTo(unit, projectId, readUpTo)
        // All of their mails are read, and they stay read when the first ones are deleted.
        for (const campaign of await listReachingBeyond(unit.db, projectId, wanted))
          await saveMark(unit, projectId, campaign, true)
        await bus.emit(unit, emailChanged, projectId, { id: "", change: "marked" })
      }),
  }
}

/** Deletes all marks and texts of a project. */
export async function eraseInbox(unit: Unit, projectId: string): Promise<void> {
  for (const table of [inboxMarkTable, inboxStateTable, inboxTextTable])
    await unit.db.delete(table).where(eq(table.projectId, projectId))
}

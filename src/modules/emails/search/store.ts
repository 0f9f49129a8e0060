import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql, sum } from "drizzle-orm"
import { maxId, nilId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { countRecords, idParam, isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { packText } from "../../../store/text-block.ts"
import type { Unit } from "../../../store/writer.ts"
import { emailCountTable, emailTable, emailTextTable } from "../table.ts"

/** The messages of a project after one id and up to another. */
export interface Range {
  readonly afterId: string
  readonly lastId: string
}

/** The id before every other, and the one after. */
export const [start, end] = [nilId, maxId]

/** How many messages a block has. */
const blockSize = 1_000
/** So many of the newest messages are in no block: ids are made before they are stored, and may overtake each other. */
const newest = 1_000

const { placeholder } = sql
const { seq, projectId: project, afterId, lastId, recipients, subjects, starts } = emailTextTable
const ofProject = eq(project, idParam("projectId"))

const oneBlock = prepare((db) => db.select({ seq }).from(emailTextTable).where(ofProject).limit(1))

export const hasBlocks = async (db: Db, projectId: string): Promise<boolean> =>
  (await oneBlock(db, { projectId })).length > 0

export interface Block extends Range {
  readonly seq: number
}

/** The blocks of a project, newest first, of messages before an id. */
export const listBlocks = (db: Db, projectId: string, before: string): PromiseLike<Block[]> =>
  db
    .select({ seq, afterId, lastId })
    .from(emailTextTable)
    .where(and(eq(project, projectId), lt(lastId, before)))
    .orderBy(desc(lastId))

/** How many messages of each of these blocks contain a text. */
export const countInBlocks = (
  db: Db,
  seqs: readonly number[],
  search: string,
): PromiseLike<{ seq: number; count: number }[]> =>
  db
    .select({ seq, count: countRecords(recipients, subjects, starts, search).as("count") })
    .from(emailTextTable)
    .where(isOneOf(seq, JSON.stringify(seqs)))

const block = prepare((db) =>
  db
    .select({ recipients, subjects, starts })
    .from(emailTextTable)
    .where(eq(seq, placeholder("seq"))),
)

export async function findBlock(db: Db, seq: number) {
  const [found] = await block(db, { seq })
  return found
}

export const isWithin = ({ afterId, lastId }: Range): SQL | undefined =>
  and(gt(emailTable.id, afterId), lte(emailTable.id, lastId))

const inRange = and(
  eq(emailTable.projectId, idParam("projectId")),
  gt(emailTable.id, idParam("afterId")),
  lte(emailTable.id, idParam("lastId")),
)

const oneInRange = prepare((db) =>
  db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(inRange)
    .orderBy(asc(emailTable.id))
    .limit(1)
    .offset(placeholder("place")),
)

/** The id of the message at a place of a range, the first being 0. */
export async function idAt(db: Db, projectId: string, range: Range, place: number): Promise<string | undefined> {
  const [found] = await oneInRange(db, { projectId, ...range, place })
  return found?.id
}

const rangesOf = prepare((db) =>
  db.select({ afterId, lastId }).from(emailTextTable).where(ofProject).orderBy(asc(lastId)),
)

/** The parts of a project's ledger, oldest first, that are in no block; the last has no end. */
export async function listGaps(db: Db, projectId: string): Promise<Range[]> {
  const blocks = await rangesOf(db, { projectId })
  const ends = [start, ...blocks.map((each) => each.lastId)]
  return [...blocks.map((each) => each.afterId), end]
    .map((lastId, at) => ({ afterId: ends[at] ?? start, lastId }))
    .filter((gap) => gap.afterId !== gap.lastId)
}

/** The projects with so many messages that blocks are worthwhile. */
export async function listLarge(db: Db): Promise<string[]> {
  const { projectId, count: each } = emailCountTable
  const rows = await db
    .select({ projectId })
    .from(emailCountTable)
    .groupBy(projectId)
    .having(gte(sum(each), blockSize + newest))
  return rows.map((row) => row.projectId)
}

const following = prepare((db) =>
  db
    .select({ seq, afterId })
    .from(emailTextTable)
    .where(and(ofProject, gt(lastId, idParam("afterId"))))
    .orderBy(asc(lastId))
    .limit(1),
)

const mails = prepare((db) =>
  db
    .select({ id: emailTable.id, own: emailTable.to, shared: emailTable.subject })
    .from(emailTable)
    .where(inRange)
    .orderBy(asc(emailTable.id))
    .limit(blockSize),
)

const insert = prepare((db) =>
  db.insert(emailTextTable).values({
    projectId: idParam("projectId"),
    afterId: idParam("afterId"),
    lastId: idParam("lastId"),
    recipients: placeholder("recipients"),
    subjects: placeholder("subjects"),
    starts: placeholder("starts"),
  }),
)

/**
 * Makes the block that follows an id where a gap begins. Resolves to the id where the rest of the gap begins; undefined
 * when nothing is left of it.
 */
export async function fillGap(unit: Unit, projectId: string, afterId: string): Promise<string | undefined> {
  const [next] = await following(unit.db, { projectId, afterId })
  if (next !== undefined && next.afterId <= afterId) return undefined
  const gap = { afterId, lastId: next?.afterId ?? end }
  if (next === undefined && (await idAt(unit.db, projectId, gap, blockSize + newest - 1)) === undefined)
    return undefined
  const found = await mails(unit.db, { projectId, ...gap })
  const last = found.length < blockSize ? gap.lastId : (found.at(-1)?.id ?? gap.lastId)
  if (found.length === 0) {
    // The messages of a deleted block are gone: the next block then begins where the former one ended.
    if (next) await unit.db.update(emailTextTable).set({ afterId }).where(eq(seq, next.seq))
    return undefined
  }
  const { own, shared, starts } = packText(found)
  await insert(unit.db, { projectId, afterId, lastId: last, recipients: own, subjects: shared, starts })
  return last === next?.afterId ? undefined : last
}

import { and, eq, gt, lte, type SQL } from "drizzle-orm"
import { mapConcurrent } from "../../kernel/map-concurrent.ts"
import type { Db } from "../../store/database.ts"
import { isInTime, isInTimeAt, isUnindexed, unindexed } from "../../store/dialect.ts"
import type { ReadPool } from "../../store/engine.ts"
import { lastSeq } from "./search/store.ts"
import { countContacts } from "./store.ts"
import { contactTable } from "./table.ts"

/** The distribution of a project's contacts among those of all projects. */
export interface ContactRange {
  readonly projectId: string
  /** The greatest `seq` of all contacts. */
  readonly last: number
  /** Contacts of the project. */
  readonly contacts: number
}

export async function contactRangeOf(db: Db, projectId: string): Promise<ContactRange> {
  const { subscribed, unsubscribed } = await countContacts(db, projectId)
  return { projectId, last: await lastSeq(db), contacts: subscribed + unsubscribed }
}

/** Contacts with `after < seq <= until`. */
export interface Window {
  readonly after: number
  readonly until: number
}

/** From this share of all contacts on, scanning by `seq` past the others costs less than an index of the project. */
const largeShare = 1 / 8

const isLarge = ({ contacts, last }: ContactRange): boolean => contacts >= last * largeShare

export const isOfProject = ({ projectId }: ContactRange): SQL => eq(contactTable.projectId, projectId)

/** Whether a contact belongs to the project and lies in the window. The cost depends on how many of the project's do. */
export function isInWindow(range: ContactRange, { after, until }: Window): SQL {
  const { seq, projectId } = contactTable
  const inWindow = isLarge(range)
    ? and(gt(seq, after), lte(seq, until), isInTimeAt(seq), isUnindexed(projectId, range.projectId))
    : and(isOfProject(range), gt(unindexed(seq), after), lte(unindexed(seq), until), isInTime)
  return inWindow as SQL
}

/** The width of a window with about this many contacts of the project. */
export const widthFor = (range: ContactRange, rows: number): number =>
  isLarge(range) ? rows : Math.ceil((range.last * rows) / Math.max(1, range.contacts))

/** Windows of about this many contacts that cover all contacts of a project, by rising `seq`. */
export function windowsOf(range: ContactRange, rows: number): Window[] {
  const width = widthFor(range, rows)
  if (range.contacts === 0) return []
  return Array.from({ length: Math.ceil(range.last / width) }, (_, index) => ({
    after: index * width,
    until: Math.min((index + 1) * width, range.last),
  }))
}

/** Parts of the pool that the windows of one project take. */
const parts = 2
/** Reads requested at a time: for each part one that runs, and one that follows it at once. */
const readAhead = 2 * parts
/** Reads that take less than this, in ms, run two at a time; slower ones leave the other threads to other projects. */
const shortMs = 200

/**
 * Reads each of these windows on the pool; the results are in their order. Windows are read by two threads as long as
 * each takes little time, their wait included.
 */
export async function readWindows<R>(
  readPool: ReadPool,
  projectId: string,
  windows: readonly Window[],
  query: (db: Db, window: Window) => PromiseLike<R>,
): Promise<R[]> {
  let isShort = false
  const read = async (window: Window, place: number): Promise<R> => {
    const began = performance.now()
    const found = await readPool.read(projectId, (db) => query(db, window), isShort ? place % parts : 0)
    isShort = performance.now() - began < shortMs
    return found
  }
  // The first window shows whether the condition is slow.
  const [first, ...others] = windows
  if (first === undefined) return []
  return [await read(first, 0), ...(await mapConcurrent(others, readAhead, read))]
}

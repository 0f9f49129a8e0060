import { and, eq, gt, lte, type SQL } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { isInTime, unindexed } from "../../../store/dialect.ts"
import { contactTable, countContacts, lastSeq } from "../../contacts/index.ts"

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

/** Whether a contact belongs to the project and lies in the window. The cost depends on how many of the project's do. */
export function isInWindow(range: ContactRange, { after, until }: Window): SQL {
  const { seq, projectId } = contactTable
  const inWindow = isLarge(range)
    ? and(gt(seq, after), lte(seq, until), eq(unindexed(projectId), range.projectId))
    : and(eq(projectId, range.projectId), gt(unindexed(seq), after), lte(unindexed(seq), until))
  return and(inWindow, isInTime) as SQL
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

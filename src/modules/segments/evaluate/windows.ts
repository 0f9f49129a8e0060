import { and, eq, fillPlaceholders, gt, lte, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { unindexed } from "../../../store/dialect.ts"
import type { ReadPoolQuery } from "../../../store/engine.ts"
import { contactTable, countContacts, lastSeq } from "../../contacts/index.ts"

/** Where the contacts of a project are among those of all projects. */
export interface Reach {
  readonly projectId: string
  /** The greatest `seq` of all contacts. */
  readonly last: number
  /** Contacts of the project. */
  readonly contacts: number
}

export async function reachOf(db: Db, projectId: string): Promise<Reach> {
  const { subscribed, unsubscribed } = await countContacts(db, projectId)
  return { projectId, last: await lastSeq(db), contacts: subscribed + unsubscribed }
}

/** Contacts with `after < seq <= until`. */
export interface Window {
  readonly after: number
  readonly until: number
}

/** From this share of all contacts on, passing the others costs less than finding its own by an index. */
const largeShare = 1 / 8

const isLarge = ({ contacts, last }: Reach): boolean => contacts >= last * largeShare

/**
 * Whether a contact is of the project and in a window, which is told when the query is asked (`askedOf`). What it costs
 * depends on how many of its own are in it.
 */
export function isWithin(reach: Reach): SQL {
  const { seq, projectId } = contactTable
  const [after, until] = [sql.placeholder("after"), sql.placeholder("until")]
  const within = isLarge(reach)
    ? and(gt(seq, after), lte(seq, until), eq(unindexed(projectId), reach.projectId))
    : and(eq(projectId, reach.projectId), gt(unindexed(seq), after), lte(unindexed(seq), until))
  return within as SQL
}

/** A query over windows, built once and then asked of one window after the other. */
export function askedOf(query: ReadPoolQuery): (window: Window) => ReadPoolQuery {
  const { sql: text, params } = query.toSQL()
  return ({ after, until }) => ({ toSQL: () => ({ sql: text, params: fillPlaceholders(params, { after, until }) }) })
}

/** How wide a window is to be for about so many contacts to be looked at in it. */
export const widthFor = (reach: Reach, looks: number): number =>
  isLarge(reach) ? looks : Math.ceil((reach.last * looks) / Math.max(1, reach.contacts))

/** All contacts of a project in windows of about so many looks, by rising `seq`. */
export function windowsOf(reach: Reach, looks: number): Window[] {
  const width = widthFor(reach, looks)
  if (reach.contacts === 0) return []
  return Array.from({ length: Math.ceil(reach.last / width) }, (_, at) => ({
    after: at * width,
    until: Math.min((at + 1) * width, reach.last),
  }))
}

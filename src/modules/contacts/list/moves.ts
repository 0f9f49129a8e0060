import { and, asc, desc, eq, getTableColumns, gt, lt, lte, max, notExists, type SQL, sql } from "drizzle-orm"
import { alias } from "drizzle-orm/sqlite-core"
import type { Db } from "../../../store/database.ts"
import { holdsText, isFlag, isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Contact, contactMoveTable, contactTable } from "../table.ts"
import type { Order, Place } from "./order.ts"
import type { ContactFilter } from "./store.ts"

const move = contactMoveTable
const { seq: _, ...columns } = getTableColumns(contactTable)

const last = prepare((db) => db.select({ seq: max(move.seq) }).from(move))

/** The `seq` of the last move of all; 0 when none is remembered. */
export async function lastMove(db: Db): Promise<number> {
  const [row] = await last(db, {})
  return row?.seq ?? 0
}

const among = prepare((db) =>
  db
    .select({ id: move.contactId })
    .from(move)
    .where(and(isOneOf(move.contactId, sql.placeholder("ids")), gt(move.seq, sql.placeholder("since")))),
)

/** Those of the contacts that have another address than when the given move was the last one. */
export async function movedAmong(db: Db, ids: readonly string[], since: number): Promise<Set<string>> {
  const rows = await among(db, { ids: JSON.stringify(ids), since })
  return new Set(rows.map(({ id }) => id))
}

/** A contact, and the address that it had. */
export interface Moved {
  readonly contact: Contact
  readonly email: string
}

/**
 * The contacts that have moved since, as a list by the addresses that they had then has them behind a place. What a
 * search looks for, it looks for in those.
 */
export function listMoved(
  db: Db,
  projectId: string,
  { dir }: Order,
  { search, subscribed }: ContactFilter,
  { since, after, limit }: { readonly since: number; readonly after: Place; readonly limit: number },
): Promise<Moved[]> {
  const [beyond, sorted] = dir === "asc" ? [sql.raw(">"), asc] : [sql.raw("<"), desc]
  const earlier = alias(move, "earlier")
  const before = db
    .select({ seq: earlier.seq })
    .from(earlier)
    .where(and(eq(earlier.contactId, move.contactId), gt(earlier.seq, since), lt(earlier.seq, move.seq)))
  const where: (SQL | undefined)[] = [
    eq(move.projectId, projectId),
    sql`(${move.email}, ${move.contactId}) ${beyond} (${after.key}, ${after.id})`,
    gt(move.seq, since),
    notExists(before),
    search === undefined ? undefined : holdsText(move.email, search),
    subscribed === undefined ? undefined : isFlag(contactTable.subscribed, subscribed),
  ]
  return db
    .select({ contact: columns, email: move.email })
    .from(move)
    .innerJoin(contactTable, eq(contactTable.id, move.contactId))
    .where(and(...where))
    .orderBy(sorted(move.email), sorted(move.contactId))
    .limit(limit)
}

/** Forgets a bounded slice of the moves up to a time; resolves to how many. */
export async function forgetMoves(unit: Unit, at: number): Promise<number> {
  const slice = unit.db.select({ seq: move.seq }).from(move).where(lte(move.movedAt, at)).limit(500)
  return (await unit.db.delete(move).where(sql`${move.seq} IN ${slice}`).returning({ seq: move.seq })).length
}

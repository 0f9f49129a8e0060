import { and, count, eq, exists, inArray, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable } from "../../contacts/index.ts"
import { segmentMemberTable } from "../table.ts"

const hole = sql.placeholder
const { segmentId, contactId } = segmentMemberTable

const add = prepare((db) =>
  db
    .insert(segmentMemberTable)
    .select(
      db
        .select({
          segmentId: sql<string>`${hole("segmentId")}`.as("segment_id"),
          contactId: contactTable.id,
          joinedAt: sql<number>`${hole("now")}`.as("joined_at"),
        })
        .from(contactTable)
        .where(isOneOf(contactTable.id, hole("ids"))),
    )
    .onConflictDoNothing()
    .returning({ contactId }),
)

/** Adds contacts to a segment; resolves to those of them that were not in it. */
export async function addMembers(unit: Unit, segment: string, contacts: readonly string[]): Promise<string[]> {
  const rows = await add(unit.db, { segmentId: segment, now: unit.now, ids: JSON.stringify(contacts) })
  return rows.map((row) => row.contactId)
}

const remove = prepare((db) =>
  db
    .delete(segmentMemberTable)
    .where(and(eq(segmentId, hole("segmentId")), isOneOf(contactId, hole("ids"))))
    .returning({ contactId }),
)

/** Takes contacts out of a segment; resolves to those of them that were in it. */
export async function removeMembers(unit: Unit, segment: string, contacts: readonly string[]): Promise<string[]> {
  const rows = await remove(unit.db, { segmentId: segment, ids: JSON.stringify(contacts) })
  return rows.map((row) => row.contactId)
}

const ofContact = prepare((db) =>
  db
    .select({ segmentId })
    .from(segmentMemberTable)
    .where(eq(contactId, hole("contactId"))),
)

/** The segments that a contact is recorded to be in. */
export async function listMemberships(db: Db, contact: string): Promise<Set<string>> {
  const rows = await ofContact(db, { contactId: contact })
  return new Set(rows.map((row) => row.segmentId))
}

/** Whether the contact of the query around it is recorded to be in a segment. */
export const isMember = (db: Db, segment: string): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(segmentMemberTable)
      .where(and(eq(segmentId, segment), eq(contactId, contactTable.id))),
  )

/** How many members are recorded, to be asked aside: every one of them is looked at. */
export const countMembers = (db: Db, segment: string) =>
  db
    .select({ total: count().as("total") })
    .from(segmentMemberTable)
    .where(eq(segmentId, segment))

/** Forgets a bounded number of members without a word; resolves to how many. */
export async function dropMembers(unit: Unit, segment: string, most: number): Promise<number> {
  const slice = unit.db.select({ contactId }).from(segmentMemberTable).where(eq(segmentId, segment)).limit(most)
  const gone = await unit.db
    .delete(segmentMemberTable)
    .where(and(eq(segmentId, segment), inArray(contactId, slice)))
    .returning({ contactId })
  return gone.length
}

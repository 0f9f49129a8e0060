import { and, count, eq, exists, inArray, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idItem, idParam, isOneOf, itemsOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable } from "../../contacts/index.ts"
import { segmentMemberTable } from "../table.ts"

const { placeholder } = sql
const { segmentId, contactId } = segmentMemberTable

const add = prepare((db) =>
  db
    .insert(segmentMemberTable)
    .select(
      db
        .select({
          segmentId: idParam("segmentId").as("segment_id"),
          contactId: contactTable.id,
          joinedAt: sql<number>`${placeholder("now")}`.as("joined_at"),
        })
        .from(contactTable)
        .where(isOneOf(contactTable.id, placeholder("ids"))),
    )
    .onConflictDoNothing()
    .returning({ contactId }),
)

/** Adds contacts to a segment; resolves to those that were not in it. */
export async function addMembers(unit: Unit, segment: string, contacts: readonly string[]): Promise<string[]> {
  const rows = await add(unit.db, { segmentId: segment, now: unit.now, ids: JSON.stringify(contacts) })
  return rows.map((row) => row.contactId)
}

const addTo = prepare((db) =>
  db
    .insert(segmentMemberTable)
    .select(
      db
        .select({
          segmentId: idItem.as("segment_id"),
          contactId: contactTable.id,
          joinedAt: sql<number>`${placeholder("now")}`.as("joined_at"),
        })
        .from(contactTable)
        .crossJoin(itemsOf(placeholder("segments")))
        .where(eq(contactTable.id, idParam("contact"))),
    )
    .onConflictDoNothing()
    .returning({ segmentId }),
)

/** Adds a contact to segments; resolves to those that it was not in. */
export async function addToSegments(unit: Unit, contact: string, segments: readonly string[]): Promise<string[]> {
  if (segments.length === 0) return []
  const rows = await addTo(unit.db, { contact, now: unit.now, segments: JSON.stringify(segments) })
  return rows.map((row) => row.segmentId)
}

const removeFrom = prepare((db) =>
  db
    .delete(segmentMemberTable)
    .where(and(eq(contactId, idParam("contact")), isOneOf(segmentId, placeholder("segments"))))
    .returning({ segmentId }),
)

/** Removes a contact from segments; resolves to those that it was in. */
export async function removeFromSegments(unit: Unit, contact: string, segments: readonly string[]): Promise<string[]> {
  if (segments.length === 0) return []
  const rows = await removeFrom(unit.db, { contact, segments: JSON.stringify(segments) })
  return rows.map((row) => row.segmentId)
}

const remove = prepare((db) =>
  db
    .delete(segmentMemberTable)
    .where(and(eq(segmentId, idParam("segmentId")), isOneOf(contactId, placeholder("ids"))))
    .returning({ contactId }),
)

/** Removes contacts from a segment; resolves to those that were in it. */
export async function removeMembers(unit: Unit, segment: string, contacts: readonly string[]): Promise<string[]> {
  const rows = await remove(unit.db, { segmentId: segment, ids: JSON.stringify(contacts) })
  return rows.map((row) => row.contactId)
}

const ofContact = prepare((db) =>
  db
    .select({ segmentId })
    .from(segmentMemberTable)
    .where(eq(contactId, idParam("contactId"))),
)

/** The segments whose recorded membership includes a contact. */
export async function listMemberships(db: Db, contact: string): Promise<Set<string>> {
  const rows = await ofContact(db, { contactId: contact })
  return new Set(rows.map((row) => row.segmentId))
}

/** Whether the contact of the surrounding query is a recorded member of a segment. */
export const isMember = (db: Db, segment: string): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(segmentMemberTable)
      .where(and(eq(segmentId, segment), eq(contactId, contactTable.id))),
  )

/** Counts the recorded members. For the read pool: it reads each of their rows. */
export const countMembers = (db: Db, segment: string) =>
  db.select({ total: count() }).from(segmentMemberTable).where(eq(segmentId, segment))

/** Deletes up to `limit` members without events; resolves to their number. */
export async function deleteSomeMembers(unit: Unit, segment: string, limit: number): Promise<number> {
  const slice = unit.db.select({ contactId }).from(segmentMemberTable).where(eq(segmentId, segment)).limit(limit)
  const deleted = await unit.db
    .delete(segmentMemberTable)
    .where(and(eq(segmentId, segment), inArray(contactId, slice)))
    .returning({ contactId })
  return deleted.length
}

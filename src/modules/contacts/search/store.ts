import { and, asc, gt, lte, max, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { allOf, hasTrigrams, holdsText, idParam, isOneOf, isUnindexed, trigramTable } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type ContactSummary, summaryColumns } from "../store.ts"
import { contactTable, searchMarkTable } from "../table.ts"

/** Addresses by their trigrams (migration 0001). */
const searchTable = trigramTable("contact_search", "email")

const { placeholder } = sql

const last = prepare((db) => db.select({ seq: max(contactTable.seq) }).from(contactTable))

/** The `seq` of the last contact, of any project; 0 without contacts. */
export async function lastSeq(db: Db): Promise<number> {
  const [row] = await last(db, {})
  return row?.seq ?? 0
}

/** The `seq` up to which addresses are indexed, and that of the last contact. */
export interface IndexState {
  readonly mark: number
  readonly last: number
}

const indexState = prepare((db) => {
  const lastOne = db.select({ seq: max(contactTable.seq) }).from(contactTable)
  return db.select({ mark: searchMarkTable.seq, last: sql<number | null>`(${lastOne})` }).from(searchMarkTable)
})

export async function readIndexState(db: Db): Promise<IndexState> {
  const [row] = await indexState(db, {})
  return { mark: row?.mark ?? 0, last: row?.last ?? 0 }
}

const having = (db: Db) =>
  db
    .select({ seq: searchTable.seq })
    .from(searchTable)
    .where(hasTrigrams(searchTable, placeholder("trigrams")))
    .orderBy(asc(searchTable.seq))

const first = prepare((db) => having(db).limit(placeholder("limit")))
const one = prepare((db) => having(db).limit(1).offset(placeholder("skipped")))

/** Indexed contacts of all projects whose addresses have all these trigrams, by `seq`. */
export async function listHaving(db: Db, trigrams: readonly string[], limit: number): Promise<number[]> {
  const rows = await first(db, { trigrams: allOf(trigrams), limit })
  return rows.map((row) => row.seq ?? 0)
}

/** The `seq` of the contact that has a trigram after `skipped` others; undefined when there are not so many. */
export async function seqHaving(db: Db, trigram: string, skipped: number): Promise<number | undefined> {
  const [row] = await one(db, { trigrams: allOf([trigram]), skipped })
  return row?.seq ?? undefined
}

const among = prepare((db) =>
  db
    .select(summaryColumns)
    .from(contactTable)
    .where(
      and(
        isOneOf(contactTable.seq, placeholder("seqs")),
        isUnindexed(contactTable.projectId, idParam("projectId")),
        holdsText(contactTable.email, placeholder("search")),
      ),
    ),
)

/** Those of the contacts that belong to the project and contain the text. */
export const listAmong = (
  db: Db,
  projectId: string,
  search: string,
  seqs: readonly number[],
): Promise<ContactSummary[]> => among(db, { projectId, search, seqs: JSON.stringify(seqs) })

const between = prepare((db) =>
  db
    .select(summaryColumns)
    .from(contactTable)
    .where(
      and(
        gt(contactTable.seq, placeholder("after")),
        lte(contactTable.seq, placeholder("upTo")),
        isUnindexed(contactTable.projectId, idParam("projectId")),
        holdsText(contactTable.email, placeholder("search")),
      ),
    )
    .orderBy(asc(contactTable.seq)),
)

/** Contacts of a project that contain the text, with a `seq` greater than one and up to another. */
export const listBetween = (
  db: Db,
  projectId: string,
  search: string,
  after: number,
  upTo: number,
): Promise<ContactSummary[]> => between(db, { projectId, search, after, upTo })

const add = prepare((db) =>
  db.insert(searchTable).select(
    db
      .select({ seq: contactTable.seq, text: contactTable.email })
      .from(contactTable)
      .where(and(gt(contactTable.seq, placeholder("after")), lte(contactTable.seq, placeholder("upTo")))),
  ),
)

const moveMark = prepare((db) => db.update(searchMarkTable).set({ seq: sql`${placeholder("upTo")}` }))

/** Adds the next contacts to the index, at most `size`; resolves to how many values of `seq` are left. */
export async function indexSlice(unit: Unit, size: number): Promise<number> {
  const { mark: after, last } = await readIndexState(unit.db)
  const upTo = Math.min(after + size, last)
  if (upTo <= after) return 0
  await add(unit.db, { after, upTo })
  await moveMark(unit.db, { upTo })
  return last - upTo
}

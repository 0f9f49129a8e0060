import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { createTrackedStore } from "../../jobs/tracked/store.ts"
import type { Db } from "../../store/database.ts"
import { idParam, isOneOf, isUnindexed } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { contactTable, dataBytes, hasText, lastSeq } from "../contacts/index.ts"
import {
  type BulkError,
  type BulkJob,
  bulkErrorTable,
  bulkSelectionTable,
  bulkTable,
  type Operation,
  type Selection,
} from "./table.ts"

export const bulkJobs = createTrackedStore<BulkJob>(bulkTable)

export interface NewBulkJob {
  readonly id: string
  readonly projectId: string
  readonly operation: Operation
  readonly selection: Selection
}

export async function insertBulk(unit: Unit, { id, projectId, operation, selection }: NewBulkJob): Promise<void> {
  const total = selection.mode === "ids" ? selection.ids.length : 0
  await unit.db.insert(bulkTable).values({ id, projectId, operation, total, createdAt: unit.now })
  const stored = selection.mode === "ids" ? selection : { ...selection, until: await lastSeq(unit.db) }
  await unit.db.insert(bulkSelectionTable).values({ bulkId: id, selection: stored })
}

export async function getSelection(db: Db, bulkId: string): Promise<Selection> {
  const [row] = await db.select().from(bulkSelectionTable).where(eq(bulkSelectionTable.bulkId, bulkId))
  if (row === undefined) throw new Error("The selection of the bulk job is missing.")
  return row.selection
}

/**
 * Ends a job. The total becomes the number of contacts handled, because contacts that changed or were deleted after the
 * count were left alone.
 */
export async function finishBulk(unit: Unit, id: string, status: "completed" | "failed"): Promise<void> {
  const { succeeded, failed } = bulkTable
  await bulkJobs.finish(unit, id, status, status === "completed" ? { total: sql`${succeeded} + ${failed}` } : {})
  await unit.db.delete(bulkSelectionTable).where(eq(bulkSelectionTable.bulkId, id))
}

export function listBulkErrors(db: Db, bulkId: string): Promise<BulkError[]> {
  const { contactId, reason } = bulkErrorTable
  return db
    .select({ contactId, reason })
    .from(bulkErrorTable)
    .where(eq(bulkErrorTable.bulkId, bulkId))
    .orderBy(asc(contactId))
}

export async function insertBulkErrors(unit: Unit, bulkId: string, errors: readonly BulkError[]): Promise<void> {
  if (errors.length > 0) await unit.db.insert(bulkErrorTable).values(errors.map((error) => ({ ...error, bulkId })))
}

/** The data that determines whether a selection contains a contact. */
export type Candidate = Pick<typeof contactTable.$inferSelect, "seq" | "id" | "email" | "subscribed" | "createdAt">

const { seq, id, email, subscribed, createdAt, projectId } = contactTable
const candidateColumns = { seq, id, email, subscribed, createdAt }

const within = prepare((db) =>
  db
    .select(candidateColumns)
    .from(contactTable)
    .where(
      and(
        gt(seq, sql.placeholder("after")),
        lte(seq, sql.placeholder("until")),
        isUnindexed(projectId, idParam("projectId")),
      ),
    )
    .orderBy(asc(seq)),
)

/** The contacts of a project in a range of `seq`, in this order. The cost depends on the width of the range alone. */
export const listCandidates = (db: Db, project: string, after: number, until: number): Promise<Candidate[]> =>
  within(db, { projectId: project, after, until })

const present = prepare((db) =>
  db
    .select(candidateColumns)
    .from(contactTable)
    .where(and(isOneOf(id, sql.placeholder("ids")), isUnindexed(projectId, idParam("projectId")))),
)

const sizes = prepare((db) =>
  db
    .select({ id, bytes: dataBytes })
    .from(contactTable)
    .where(and(isOneOf(id, sql.placeholder("ids")), isUnindexed(projectId, idParam("projectId")))),
)

/** The size of the data of those of the ids that are contacts of the project. */
export async function listDataBytes(db: Db, project: string, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await sizes(db, { projectId: project, ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, row.bytes]))
}

/** Those of the ids that are contacts of the project, by `seq`. */
export async function listPresent(db: Db, project: string, ids: readonly string[]): Promise<Candidate[]> {
  const rows = await present(db, { projectId: project, ids: JSON.stringify(ids) })
  return rows.sort((one, other) => one.seq - other.seq)
}

/** Those of the ids that are contacts of the project and have a text in their address or their values, by `seq`. */
export const listPresentHaving = (
  db: Db,
  project: string,
  ids: readonly string[],
  text: string,
): Promise<Candidate[]> =>
  db
    .select(candidateColumns)
    .from(contactTable)
    .where(and(inArray(id, [...ids]), isUnindexed(projectId, project), hasText(text)))
    .orderBy(asc(seq))

/** For the read pool: the ids of the contacts in a range of `seq` that have a text in their address or their values. */
export const idsHaving = (db: Db, project: string, text: string, after: number, until: number) =>
  db
    .select({ id })
    .from(contactTable)
    .where(and(gt(seq, after), lte(seq, until), isUnindexed(projectId, project), hasText(text)))

import { and, asc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { isOneOf, unindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { unfinished } from "../job-status.ts"
import { type ContactRow, contactTable } from "../table.ts"
import {
  type BulkError,
  type BulkJob,
  bulkErrorTable,
  bulkSelectionTable,
  bulkTable,
  type Operation,
  type Selection,
} from "./table.ts"

export interface NewBulkJob {
  readonly id: string
  readonly projectId: string
  readonly operation: Operation
  readonly selection: Selection
}

export async function insertBulk(unit: Unit, { id, projectId, operation, selection }: NewBulkJob): Promise<void> {
  const total = selection.mode === "ids" ? selection.ids.length : 0
  await unit.db.insert(bulkTable).values({ id, projectId, operation, total, createdAt: unit.now })
  await unit.db.insert(bulkSelectionTable).values({ bulkId: id, selection })
}

export async function findBulk(db: Db, projectId: string, id: string): Promise<BulkJob | undefined> {
  const [job] = await db
    .select()
    .from(bulkTable)
    .where(and(eq(bulkTable.projectId, projectId), eq(bulkTable.id, id)))
  return job
}

export async function getSelection(db: Db, bulkId: string): Promise<Selection> {
  const [row] = await db.select().from(bulkSelectionTable).where(eq(bulkSelectionTable.bulkId, bulkId))
  if (row === undefined) throw new Error("The selection of the bulk job is gone.")
  return row.selection
}

export function listBulkErrors(db: Db, bulkId: string): Promise<BulkError[]> {
  const { contactId, reason } = bulkErrorTable
  return db
    .select({ contactId, reason })
    .from(bulkErrorTable)
    .where(eq(bulkErrorTable.bulkId, bulkId))
    .orderBy(asc(contactId))
}

/** Begins a run; undefined when the job is over, or gone with its project. */
export async function beginBulk(unit: Unit, projectId: string, id: string): Promise<BulkJob | undefined> {
  const [job] = await unit.db
    .update(bulkTable)
    .set({ vainRuns: sql`${bulkTable.vainRuns} + 1` })
    .where(and(eq(bulkTable.projectId, projectId), eq(bulkTable.id, id), inArray(bulkTable.status, [...unfinished])))
    .returning()
  return job
}

export async function startBulk(unit: Unit, id: string, total: number): Promise<void> {
  await unit.db.update(bulkTable).set({ status: "processing", total }).where(eq(bulkTable.id, id))
}

/** Where a job stands. */
export type Standing = Pick<BulkJob, "succeeded" | "failed" | "position">

/** Moves a job on. Throws when it is not where it was thought to be: then nothing of the unit may be kept. */
export async function advanceBulk(unit: Unit, { id, ...before }: BulkJob, to: Standing): Promise<void> {
  const { succeeded, failed, position } = bulkTable
  const moved = await unit.db
    .update(bulkTable)
    .set({ ...to, vainRuns: 0 })
    .where(
      and(
        eq(bulkTable.id, id),
        eq(succeeded, before.succeeded),
        eq(failed, before.failed),
        eq(position, before.position),
      ),
    )
    .returning({ id: bulkTable.id })
  if (moved.length === 0) throw new Error("The bulk job is no longer where this slice begins.")
}

export async function insertBulkErrors(unit: Unit, bulkId: string, errors: readonly BulkError[]): Promise<void> {
  if (errors.length > 0) await unit.db.insert(bulkErrorTable).values(errors.map((error) => ({ ...error, bulkId })))
}

/** Ends a job. Contacts that others changed or deleted meanwhile were counted at its begin: the total is what was done. */
export async function finishBulk(unit: Unit, id: string, status: "completed" | "failed"): Promise<void> {
  const { succeeded, failed } = bulkTable
  await unit.db
    .update(bulkTable)
    .set({ status, finishedAt: unit.now, ...(status === "completed" ? { total: sql`${succeeded} + ${failed}` } : {}) })
    .where(and(eq(bulkTable.id, id), inArray(bulkTable.status, [...unfinished])))
  await unit.db.delete(bulkSelectionTable).where(eq(bulkSelectionTable.bulkId, id))
}

/** Deletes a bounded slice of what finished before `at`, errors included; resolves to how many went. */
export async function dropFinishedBulk(unit: Unit, at: number, limit: number): Promise<number> {
  const slice = unit.db.select({ id: bulkTable.id }).from(bulkTable).where(lt(bulkTable.finishedAt, at)).limit(limit)
  const gone = await unit.db.delete(bulkTable).where(inArray(bulkTable.id, slice)).returning({ id: bulkTable.id })
  return gone.length
}

/** What is asked of a contact to know whether a selection means it. */
export type Candidate = Pick<ContactRow, "seq" | "id" | "email" | "subscribed" | "createdAt">

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
        eq(unindexed(projectId), sql.placeholder("projectId")),
      ),
    )
    .orderBy(asc(seq)),
)

/** The contacts of a project on a stretch of `seq`, in this order. What it costs depends on the stretch alone. */
export const listCandidates = (db: Db, project: string, after: number, until: number): Promise<Candidate[]> =>
  within(db, { projectId: project, after, until })

const present = prepare((db) =>
  db
    .select(candidateColumns)
    .from(contactTable)
    .where(and(isOneOf(id, sql.placeholder("ids")), eq(unindexed(projectId), sql.placeholder("projectId")))),
)

/** Those of these contacts that there are, in the order of their `seq`. */
export async function listPresent(db: Db, project: string, ids: readonly string[]): Promise<Candidate[]> {
  const rows = await present(db, { projectId: project, ids: JSON.stringify(ids) })
  return rows.sort((one, other) => one.seq - other.seq)
}

import { and, asc, eq, inArray, lt, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import { unfinished } from "../job-status.ts"
import { type ImportError, type ImportJob, importErrorTable, importTable } from "./table.ts"

/** Errors that are kept of one file; beyond them they are only counted (contract A5.15.2). */
export const maxErrors = 1_000

/** What became of the rows that are behind a job. */
export type Counts = Pick<ImportJob, "imported" | "updated" | "skipped">

export const rowsDone = ({ imported, updated, skipped }: Counts): number => imported + updated + skipped

export async function insertImport(unit: Unit, projectId: string, id: string): Promise<void> {
  await unit.db.insert(importTable).values({ id, projectId, createdAt: unit.now })
}

export async function findImport(db: Db, projectId: string, id: string): Promise<ImportJob | undefined> {
  const [job] = await db
    .select()
    .from(importTable)
    .where(and(eq(importTable.projectId, projectId), eq(importTable.id, id)))
  return job
}

export function listImportErrors(db: Db, id: string): Promise<ImportError[]> {
  const { row, email, reason } = importErrorTable
  return db
    .select({ row, email, reason })
    .from(importErrorTable)
    .where(eq(importErrorTable.importId, id))
    .orderBy(asc(row))
}

/** Begins a run; undefined when the job is over, or gone with its project. */
export async function beginImport(unit: Unit, projectId: string, id: string): Promise<ImportJob | undefined> {
  const [job] = await unit.db
    .update(importTable)
    .set({ vainRuns: sql`${importTable.vainRuns} + 1` })
    .where(
      and(eq(importTable.projectId, projectId), eq(importTable.id, id), inArray(importTable.status, [...unfinished])),
    )
    .returning()
  return job
}

export async function startImport(unit: Unit, id: string, totalRows: number): Promise<void> {
  await unit.db.update(importTable).set({ status: "processing", totalRows }).where(eq(importTable.id, id))
}

/** Moves the counts on. Throws when they are not where the job was: then nothing of the unit may be kept. */
export async function advanceImport(unit: Unit, { id, ...before }: ImportJob, to: Counts): Promise<void> {
  const { imported, updated, skipped } = importTable
  const moved = await unit.db
    .update(importTable)
    .set({ imported: to.imported, updated: to.updated, skipped: to.skipped, vainRuns: 0 })
    .where(
      and(
        eq(importTable.id, id),
        eq(imported, before.imported),
        eq(updated, before.updated),
        eq(skipped, before.skipped),
      ),
    )
    .returning({ id: importTable.id })
  if (moved.length === 0) throw new Error("The import is no longer where this slice begins.")
}

export async function insertImportErrors(unit: Unit, importId: string, errors: readonly ImportError[]): Promise<void> {
  if (errors.length > 0) await unit.db.insert(importErrorTable).values(errors.map((error) => ({ ...error, importId })))
}

export async function finishImport(
  unit: Unit,
  id: string,
  status: "completed" | "failed",
  failedReason: string | null,
): Promise<void> {
  await unit.db
    .update(importTable)
    .set({ status, failedReason, finishedAt: unit.now })
    .where(and(eq(importTable.id, id), inArray(importTable.status, [...unfinished])))
}

/** The imports whose files are still wanted. */
export async function listUnfinished(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: importTable.id })
    .from(importTable)
    .where(inArray(importTable.status, [...unfinished]))
  return rows.map(({ id }) => id)
}

/** Deletes a bounded slice of what finished before `at`, errors included; resolves to how many went. */
export async function dropFinishedImports(unit: Unit, at: number, limit: number): Promise<number> {
  const slice = unit.db
    .select({ id: importTable.id })
    .from(importTable)
    .where(lt(importTable.finishedAt, at))
    .limit(limit)
  const gone = await unit.db.delete(importTable).where(inArray(importTable.id, slice)).returning({ id: importTable.id })
  return gone.length
}

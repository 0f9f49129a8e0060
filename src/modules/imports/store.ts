import { asc, eq } from "drizzle-orm"
import { createTrackedStore } from "../../jobs/tracked/store.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { type ImportError, type ImportJob, importErrorTable, importTable } from "./table.ts"

export const importJobs = createTrackedStore<ImportJob>(importTable)

/** Errors that are stored of one file; further ones are only counted (contract A5.15.2). */
export const maxErrors = 1_000

/** The outcomes of the rows that a job has done. */
export type Counts = Pick<ImportJob, "imported" | "updated" | "skipped">

export const rowsDone = ({ imported, updated, skipped }: Counts): number => imported + updated + skipped

export async function insertImport(unit: Unit, projectId: string, id: string): Promise<void> {
  await unit.db.insert(importTable).values({ id, projectId, createdAt: unit.now })
}

export function listImportErrors(db: Db, id: string): Promise<ImportError[]> {
  const { row, email, reason } = importErrorTable
  return db
    .select({ row, email, reason })
    .from(importErrorTable)
    .where(eq(importErrorTable.importId, id))
    .orderBy(asc(row))
}

export async function insertImportErrors(unit: Unit, importId: string, errors: readonly ImportError[]): Promise<void> {
  if (errors.length > 0) await unit.db.insert(importErrorTable).values(errors.map((error) => ({ ...error, importId })))
}

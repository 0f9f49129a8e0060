import { and, type Column, eq, getTableColumns, inArray, lt, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { unfinished } from "./status.ts"
import type { TrackedJob, TrackedTable } from "./table.ts"

/** Values to store in a job: plain ones, or expressions over its columns. */
export type JobValues<Job> = { readonly [K in keyof Job]?: Job[K] | SQL }

/** The queries common to all kinds of tracked jobs, for the table of one kind. */
export function createTrackedStore<Job extends TrackedJob>(table: TrackedTable) {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const isUnfinished = inArray(table.status, [...unfinished])

  return {
    async find(db: Db, projectId: string, id: string): Promise<Job | undefined> {
      const [job] = await db
        .select()
        .from(table)
        .where(and(eq(table.projectId, projectId), eq(table.id, id)))
      return job as Job | undefined
    },

    /** Begins a run; undefined when the job is finished, or deleted with its project. */
    async begin(unit: Unit, projectId: string, id: string): Promise<Job | undefined> {
      const [job] = await unit.db
        .update(table)
        .set({ idleRuns: sql`${table.idleRuns} + 1` })
        .where(and(eq(table.projectId, projectId), eq(table.id, id), isUnfinished))
        .returning()
      return job as Job | undefined
    },

    /** Stores the amount of work. */
    async start(unit: Unit, id: string, values: JobValues<Job>): Promise<void> {
      await unit.db
        .update(table)
        .set({ ...values, status: "processing" })
        .where(and(eq(table.id, id), eq(table.status, "queued")))
    },

    /**
     * Stores that a slice is done. Throws when another run has done it in the meantime, which rolls the unit back: the
     * stored values are compared with those at the start of the slice.
     */
    async advance(unit: Unit, before: Job, to: Partial<Job>): Promise<Job> {
      const names = Object.keys(to) as (keyof Job & string)[]
      const isWhereItWas = names.map((name) => eq(columns[name] as Column, before[name]))
      const advanced = await unit.db
        .update(table)
        .set({ ...to, idleRuns: 0 })
        .where(and(eq(table.id, before.id), ...isWhereItWas))
        .returning({ id: table.id })
      if (advanced.length === 0) throw new Error("Another run of this job has done the slice.")
      return { ...before, ...to }
    },

    async finish(unit: Unit, id: string, status: "completed" | "failed", values: JobValues<Job> = {}): Promise<void> {
      await unit.db
        .update(table)
        .set({ ...values, status, finishedAt: unit.now })
        .where(and(eq(table.id, id), isUnfinished))
    },

    /** Deletes all jobs of a project with their dependent rows; resolves to their ids. */
    async erase(unit: Unit, projectId: string): Promise<string[]> {
      const gone = await unit.db.delete(table).where(eq(table.projectId, projectId)).returning({ id: table.id })
      return gone.map(({ id }) => id)
    },

    async listUnfinished(db: Db): Promise<string[]> {
      const rows = await db.select({ id: table.id }).from(table).where(isUnfinished)
      return rows.map(({ id }) => id)
    },

    /** Deletes up to `limit` jobs that finished before `at` with their dependent rows; resolves to their number. */
    async deleteFinished(unit: Unit, at: number, limit: number): Promise<number> {
      const slice = unit.db.select({ id: table.id }).from(table).where(lt(table.finishedAt, at)).limit(limit)
      return (await unit.db.delete(table).where(inArray(table.id, slice)).returning({ id: table.id })).length
    },
  }
}

export type TrackedStore<Job extends TrackedJob> = ReturnType<typeof createTrackedStore<Job>>

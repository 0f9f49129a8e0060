import { and, asc, eq, inArray, lt, lte, or, sql } from "drizzle-orm"
import type { Db } from "../store/database.ts"
import type { Unit } from "../store/writer.ts"
import { jobTable } from "./table.ts"

export type Job = typeof jobTable.$inferSelect
export type NewJob = Pick<Job, "id" | "kind" | "payload" | "runAt" | "uniqueKey">

/** Adds a job; false when one with its unique key is already waiting or running. */
export async function insertJob(unit: Unit, job: NewJob): Promise<boolean> {
  const rows = await unit.db
    .insert(jobTable)
    .values({ ...job, createdAt: unit.now })
    .onConflictDoNothing()
    .returning({ id: jobTable.id })
  return rows.length > 0
}

/** Takes up to `limit` due jobs of a kind, and those whose lease ran out; counts the attempt. */
export function claimJobs(unit: Unit, kind: string, limit: number, leaseMs: number): Promise<Job[]> {
  const due = unit.db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(
      and(
        eq(jobTable.kind, kind),
        or(
          and(eq(jobTable.state, "pending"), lte(jobTable.runAt, unit.now)),
          and(eq(jobTable.state, "running"), lt(jobTable.leaseUntil, unit.now)),
        ),
      ),
    )
    .orderBy(asc(jobTable.runAt), asc(jobTable.id))
    .limit(limit)
  return unit.db
    .update(jobTable)
    .set({ state: "running", attempt: sql`${jobTable.attempt} + 1`, leaseUntil: unit.now + leaseMs })
    .where(inArray(jobTable.id, due))
    .returning()
}

export async function renewLease(unit: Unit, id: string, leaseMs: number): Promise<void> {
  await unit.db
    .update(jobTable)
    .set({ leaseUntil: unit.now + leaseMs })
    .where(and(eq(jobTable.id, id), eq(jobTable.state, "running")))
}

/** Back to the queue; `attempt` is what the next claim counts on from. */
export async function requeueJob(
  unit: Unit,
  id: string,
  runAt: number,
  attempt: number,
  error: string | null,
): Promise<void> {
  await unit.db
    .update(jobTable)
    .set({ state: "pending", runAt, attempt, leaseUntil: null, error })
    .where(eq(jobTable.id, id))
}

export async function finishJob(
  unit: Unit,
  id: string,
  state: "done" | "failed" | "cancelled",
  error: string | null,
): Promise<void> {
  await unit.db
    .update(jobTable)
    .set({ state, error, leaseUntil: null, finishedAt: unit.now })
    .where(eq(jobTable.id, id))
}

/** At start nobody else can hold a lease: whatever was running died with its process. */
export async function freeJobs(unit: Unit): Promise<void> {
  await unit.db.update(jobTable).set({ state: "pending", leaseUntil: null }).where(eq(jobTable.state, "running"))
}

/** Kinds that have something due now, a lease that ran out included. */
export async function dueKinds(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ kind: jobTable.kind })
    .from(jobTable)
    .where(
      or(
        and(eq(jobTable.state, "pending"), lte(jobTable.runAt, now)),
        and(eq(jobTable.state, "running"), lt(jobTable.leaseUntil, now)),
      ),
    )
  return rows.map((row) => row.kind)
}

/** Deletes a bounded slice of what finished before `at`; resolves to how many went. */
export async function dropFinishedJobs(unit: Unit, at: number): Promise<number> {
  const slice = unit.db.select({ id: jobTable.id }).from(jobTable).where(lt(jobTable.finishedAt, at)).limit(1_000)
  const gone = await unit.db.delete(jobTable).where(inArray(jobTable.id, slice)).returning({ id: jobTable.id })
  return gone.length
}

import { and, asc, eq, inArray, lt, lte, sql } from "drizzle-orm"
import type { Db } from "../store/database.ts"
import { prepare } from "../store/prepare.ts"
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

/** Takes up to `limit` due jobs of a kind, those that wait longest first; counts the attempt. */
export function claimJobs(unit: Unit, kind: string, limit: number, leaseMs: number): Promise<Job[]> {
  // Without a second sort key the index is read in order, however much is due.
  const due = unit.db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(and(eq(jobTable.kind, kind), eq(jobTable.state, "pending"), lte(jobTable.runAt, unit.now)))
    .orderBy(asc(jobTable.runAt))
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

/** Gives back jobs that nobody runs any more. */
export async function freeLapsed(unit: Unit, ids: readonly string[]): Promise<void> {
  await unit.db
    .update(jobTable)
    .set({ state: "pending", leaseUntil: null })
    .where(and(inArray(jobTable.id, [...ids]), eq(jobTable.state, "running")))
}

const lapsed = prepare((db) =>
  db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(and(eq(jobTable.state, "running"), lt(jobTable.leaseUntil, sql.placeholder("now")))),
)

/** Running jobs whose lease ran out. */
export async function listLapsed(db: Db, now: number): Promise<string[]> {
  return (await lapsed(db, { now })).map(({ id }) => id)
}

const firstDue = prepare((db) =>
  db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(
      and(
        eq(jobTable.kind, sql.placeholder("kind")),
        eq(jobTable.state, "pending"),
        lte(jobTable.runAt, sql.placeholder("now")),
      ),
    )
    .limit(1),
)

/** Whether a job of this kind is due now: one look at the index, however many jobs there are. */
export async function isDue(db: Db, kind: string, now: number): Promise<boolean> {
  return (await firstDue(db, { kind, now })).length > 0
}

/** Deletes a bounded slice of what finished before `at`; resolves to how many went. */
export async function dropFinishedJobs(unit: Unit, at: number): Promise<number> {
  const slice = unit.db.select({ id: jobTable.id }).from(jobTable).where(lt(jobTable.finishedAt, at)).limit(1_000)
  const gone = await unit.db.delete(jobTable).where(inArray(jobTable.id, slice)).returning({ id: jobTable.id })
  return gone.length
}

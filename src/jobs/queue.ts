import { and, asc, count, eq, exists, inArray, lt, lte, min, not, or, type SQL, sql } from "drizzle-orm"
import type { Db } from "../store/database.ts"
import { holdsText, idParam, item, itemsOf, jsonValueOf } from "../store/dialect.ts"
import { type Lease, unleased } from "../store/lease.ts"
import { prepare } from "../store/prepare.ts"
import type { Unit } from "../store/writer.ts"
import { jobTable } from "./table.ts"

export type Job = typeof jobTable.$inferSelect
type NewJob = Pick<Job, "id" | "kind" | "payload" | "runAt" | "plannedAt" | "uniqueKey">

const { placeholder } = sql

const insert = prepare((db) =>
  db
    .insert(jobTable)
    .values({
      id: idParam("id"),
      kind: placeholder("kind"),
      payload: placeholder("payload"),
      uniqueKey: placeholder("uniqueKey"),
      runAt: placeholder("runAt"),
      plannedAt: placeholder("plannedAt"),
      createdAt: placeholder("now"),
    })
    .onConflictDoNothing()
    .returning({ id: jobTable.id }),
)

/** Adds a job; false when one with its unique key is already waiting or running. */
export async function insertJob(unit: Unit, job: NewJob): Promise<boolean> {
  return (await insert(unit.db, { ...job, now: unit.now })).length > 0
}

const isPending = eq(jobTable.state, "pending")
/** With a literal, because a partial index is used only if the statement has its condition. */
const isWaiting = sql`${jobTable.state} = 'pending'`
const isRunning = eq(jobTable.state, "running")
const isLapsed = (now: number) => and(isRunning, lt(jobTable.leaseUntil, now))
const isHeld = (id: string | SQL, owner: string | SQL) =>
  and(eq(jobTable.id, id), isRunning, eq(jobTable.leaseOwner, owner))

/** Whether a job of a kind is due, of a project other than these. */
const isClaimable = and(
  eq(jobTable.kind, placeholder("kind")),
  isWaiting,
  lte(jobTable.runAt, placeholder("now")),
  sql`ifnull(${jsonValueOf(jobTable.payload, "$.projectId")}, '') NOT IN (SELECT ${item} FROM ${itemsOf(placeholder("without"))})`,
)

// Without a second sort key the index is read in order, however many jobs are due.
const claim = prepare((db) => {
  const due = db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(isClaimable)
    .orderBy(asc(jobTable.runAt))
    .limit(placeholder("limit"))
  return db
    .update(jobTable)
    .set({
      state: "running",
      attempt: sql`${jobTable.attempt} + 1`,
      leaseOwner: idParam("owner"),
      leaseUntil: sql`${placeholder("until")}`,
    })
    .where(and(inArray(jobTable.id, due), isWaiting))
    .returning()
})

/**
 * Claims up to `limit` due jobs of a kind, oldest first, `without` those of some projects; counts the attempt. The update
 * checks the state again, so that a job that several nodes claim at the same time goes to only one of them.
 */
export const claimJobs = (
  unit: Unit,
  kind: string,
  limit: number,
  { owner, ms }: Lease,
  without: readonly string[] = [],
): Promise<Job[]> =>
  claim(unit.db, { kind, without: JSON.stringify(without), limit, owner, now: unit.now, until: unit.now + ms })

const claimable = prepare((db) => db.select({ id: jobTable.id }).from(jobTable).where(isClaimable).limit(1))

/** Whether a job of a kind is due, `without` those of some projects. */
export const mayClaim = async (db: Db, kind: string, now: number, without: readonly string[]): Promise<boolean> =>
  (await claimable(db, { kind, now, without: JSON.stringify(without) })).length > 0

/** Extends the lease; false when it is no longer this node's. */
export async function renewLease(unit: Unit, id: string, { owner, ms }: Lease): Promise<boolean> {
  return changed(unit, { leaseUntil: unit.now + ms }, isHeld(id, owner))
}

/** How a run ends: back to the queue, where the next claim continues to count from `attempt`, or finally. */
export type JobEnd =
  | { readonly state: "pending"; readonly runAt: number; readonly attempt: number; readonly error: string | null }
  | { readonly state: "done" | "failed" | "cancelled"; readonly error: string | null }

const finish = prepare((db) =>
  db
    .update(jobTable)
    .set({
      state: sql`${placeholder("state")}`,
      error: sql`${placeholder("error")}`,
      finishedAt: sql`${placeholder("now")}`,
      ...unleased,
    })
    .where(isHeld(idParam("id"), idParam("owner")))
    .returning({ id: jobTable.id }),
)

/** Records how a run ended; false when the lease was lost and the job belongs to another node. */
export async function endRun(unit: Unit, id: string, owner: string, end: JobEnd): Promise<boolean> {
  if (end.state === "pending") {
    const fields = { ...end, ...unleased, plannedAt: unit.now, finishedAt: null }
    return changed(unit, fields, isHeld(id, owner))
  }
  return (await finish(unit.db, { ...end, id, owner, now: unit.now })).length > 0
}

/** For the start: frees the jobs of this node's previous process and those with an expired lease. */
export async function freeJobs(unit: Unit, owner: string): Promise<void> {
  const isOurs = and(isRunning, eq(jobTable.leaseOwner, owner))
  await free(unit, or(isOurs, isLapsed(unit.now)))
}

/** Frees those of the jobs whose lease has expired: no node runs them any more. */
export async function freeLapsed(unit: Unit, ids: readonly string[]): Promise<void> {
  await free(unit, and(inArray(jobTable.id, [...ids]), isLapsed(unit.now)))
}

/** A job that was claimed was due: its time is ahead only when the clock was set back meanwhile. */
async function free(unit: Unit, where: SQL | undefined): Promise<void> {
  const runAt = sql`CASE WHEN ${jobTable.runAt} > ${unit.now} THEN ${unit.now} ELSE ${jobTable.runAt} END`
  await unit.db
    .update(jobTable)
    .set({ state: "pending", ...unleased, runAt })
    .where(where)
}

async function changed(unit: Unit, fields: Partial<Job>, where: SQL | undefined): Promise<boolean> {
  const rows = await unit.db.update(jobTable).set(fields).where(where).returning({ id: jobTable.id })
  return rows.length > 0
}

const lapsed = prepare((db) =>
  db
    .select({ id: jobTable.id })
    .from(jobTable)
    .where(and(isRunning, lt(jobTable.leaseUntil, placeholder("now")))),
)

/** Running jobs whose lease has expired. */
export async function listLapsed(db: Db, now: number): Promise<string[]> {
  return (await lapsed(db, { now })).map(({ id }) => id)
}

const due = prepare((db) =>
  db
    .select({ kind: sql<string>`${item}` })
    .from(itemsOf(placeholder("kinds")))
    .where(
      exists(
        db
          .select({ id: jobTable.id })
          .from(jobTable)
          .where(and(eq(jobTable.kind, item), isWaiting, lte(jobTable.runAt, placeholder("now")))),
      ),
    ),
)

const nextOfKind = prepare((db) =>
  db
    .select({ at: min(jobTable.runAt) })
    .from(jobTable)
    .where(and(eq(jobTable.kind, placeholder("kind")), isPending)),
)

/** When the next waiting job of this kind is due, in ms; undefined when none waits. */
export async function nextDueOf(db: Db, kind: string): Promise<number | undefined> {
  const [row] = await nextOfKind(db, { kind })
  return row?.at ?? undefined
}

/** The kinds with a job that is due: one index lookup each, however many jobs there are. */
export async function listDueKinds(db: Db, kinds: readonly string[], now: number): Promise<string[]> {
  return (await due(db, { kinds: JSON.stringify(kinds), now })).map(({ kind }) => kind)
}

/** The number of waiting jobs. */
export async function countPending(db: Db): Promise<number> {
  const [row] = await db.select({ jobs: count() }).from(jobTable).where(isWaiting)
  return row?.jobs ?? 0
}

const waitingOfKind = prepare((db) =>
  db
    .select({ payload: jobTable.payload })
    .from(jobTable)
    .where(and(eq(jobTable.kind, placeholder("kind")), isWaiting)),
)

/** The payloads of the waiting jobs of a kind, due or not. */
export async function listWaiting(db: Db, kind: string): Promise<unknown[]> {
  return (await waitingOfKind(db, { kind })).map(({ payload }) => payload)
}

const firstLapse = prepare((db) =>
  db
    .select({ at: min(jobTable.leaseUntil) })
    .from(jobTable)
    .where(isRunning),
)

/** When the first lease of a running job expires, in ms; undefined when none runs. */
export async function nextLapseOf(db: Db): Promise<number | undefined> {
  const [row] = await firstLapse(db, {})
  return row?.at ?? undefined
}

/** Deletes up to `limit` jobs that finished before `at`; resolves to their number. */
export async function deleteFinishedJobs(unit: Unit, at: number, limit: number): Promise<number> {
  const slice = unit.db.select({ id: jobTable.id }).from(jobTable).where(lt(jobTable.finishedAt, at)).limit(limit)
  const gone = await unit.db.delete(jobTable).where(inArray(jobTable.id, slice)).returning({ id: jobTable.id })
  return gone.length
}

/** Deletes the jobs whose payload names a project, except those that run. */
export async function deleteJobsOf(unit: Unit, projectId: string): Promise<void> {
  const names = holdsText(jobTable.payload, `"projectId":${JSON.stringify(projectId)}`)
  await unit.db.delete(jobTable).where(and(not(isRunning), names))
}

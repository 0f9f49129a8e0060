import { and, asc, eq, gt, inArray, isNull, lte, min, notInArray, or, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { listDistinct } from "../../../store/distinct.ts"
import { type Lease, unleased } from "../../../store/lease.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import {
  type Call,
  callTable,
  type Execution,
  executionTable,
  type Step,
  type StepExecution,
  stepExecutionTable,
  stepTable,
  workflowTable,
} from "../table.ts"
import { isOpen } from "./step-store.ts"
import { isActive } from "./store.ts"

/** A literal, because a partial index is used only if the statement contains its condition. */
const isLeased = sql`${callTable.leaseUntil} IS NOT NULL`

/** A request that is due at once. */
export async function insertCall(unit: Unit, { id, projectId }: Pick<Call, "id" | "projectId">): Promise<void> {
  await unit.db.insert(callTable).values({ id, projectId, dueAt: unit.now })
}

/** A project that has requests to make. */
interface CallingProject {
  readonly projectId: string
  /** When the first of them was due. */
  readonly since: number
}

const nextProject = prepare((db) =>
  db
    .select({ projectId: min(callTable.projectId) })
    .from(callTable)
    .where(gt(callTable.projectId, idParam("after"))),
)

/** The projects with requests that are due and that nobody makes; one index lookup for each. */
export async function listCallingProjects(db: Db, now: number): Promise<CallingProject[]> {
  const projects = await listDistinct(async (after) => (await nextProject(db, { after }))[0]?.projectId)
  const { dueAt, leaseUntil } = callTable
  const isFree = or(isNull(leaseUntil), lte(leaseUntil, now))
  const found: CallingProject[] = []
  for (const projectId of projects) {
    const [due] = await db
      .select({ since: dueAt })
      .from(callTable)
      .where(and(eq(callTable.projectId, projectId), lte(dueAt, now), isFree))
      .orderBy(asc(dueAt))
      .limit(1)
    if (due) found.push({ projectId, ...due })
  }
  return found
}

/** When the first lease of a request lapses, which is then to be made again; undefined when none is leased. */
export async function nextCallLapseAt(db: Db): Promise<number | undefined> {
  const [row] = await db
    .select({ at: min(callTable.leaseUntil) })
    .from(callTable)
    .where(isLeased)
  return row?.at ?? undefined
}

/** When the next request is to be made; undefined when none is. */
export async function nextCallAt(db: Db): Promise<number | undefined> {
  const [row] = await db
    .select({ at: min(callTable.dueAt) })
    .from(callTable)
    .where(isNull(callTable.leaseUntil))
  return row?.at ?? undefined
}

/** Leases up to `limit` due requests of a project to this node. */
export async function claimCalls(unit: Unit, projectId: string, limit: number, lease: Lease): Promise<Call[]> {
  const due = unit.db
    .select({ id: callTable.id })
    .from(callTable)
    .where(and(eq(callTable.projectId, projectId), lte(callTable.dueAt, unit.now), isNull(callTable.leaseUntil)))
    .orderBy(asc(callTable.dueAt))
    .limit(limit)
  return leaseCalls(unit, inArray(callTable.id, due), lease)
}

/** Leases those of these requests that nobody makes to this node. */
export const claimTheseCalls = (unit: Unit, ids: readonly string[], lease: Lease): Promise<Call[]> =>
  leaseCalls(unit, inArray(callTable.id, [...ids]), lease)

const leaseCalls = async (unit: Unit, which: SQL, lease: Lease): Promise<Call[]> =>
  unit.db
    .update(callTable)
    .set({ leaseOwner: lease.owner, leaseUntil: unit.now + lease.ms })
    .where(and(which, isNull(callTable.leaseUntil)))
    .returning()

/** The steps that at least `least` of these requests belong to. */
export async function listStepsCalling(db: Db, ids: readonly string[], least: number): Promise<string[]> {
  const steps = await db
    .select({ id: stepExecutionTable.stepId })
    .from(stepExecutionTable)
    .where(inArray(stepExecutionTable.id, [...ids]))
    .groupBy(stepExecutionTable.stepId)
    .having(sql`count(*) >= ${least}`)
  return steps.map(({ id }) => id)
}

/**
 * The first requests of a project that are due and belong to none of these steps. Found by the other steps, because any
 * number of requests of these may have been due before.
 */
export async function listCallsOfOthers(
  db: Db,
  projectId: string,
  steps: readonly string[],
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<string[]> {
  const others = db
    .select({ id: stepTable.id })
    .from(workflowTable)
    .innerJoin(stepTable, eq(stepTable.workflowId, workflowTable.id))
    .where(
      and(eq(workflowTable.projectId, projectId), eq(stepTable.type, "WEBHOOK"), notInArray(stepTable.id, [...steps])),
    )
  const waiting = db
    .select({ id: stepExecutionTable.id })
    .from(stepExecutionTable)
    .where(and(inArray(stepExecutionTable.stepId, others), isOpen))
  const isDue = sql`+${callTable.dueAt} <= ${now}`
  const calls = await db
    .select({ id: callTable.id })
    .from(callTable)
    .where(and(inArray(callTable.id, waiting), isDue, isNull(callTable.leaseUntil)))
    .orderBy(asc(callTable.dueAt))
    .limit(limit)
  return calls.map(({ id }) => id)
}

/** Frees the requests that `owner` holds, which a dead process of it was making, and those whose lease has lapsed. */
export async function freeCalls(unit: Unit, owner: string): Promise<void> {
  await unit.db.update(callTable).set(unleased).where(eq(callTable.leaseOwner, owner))
  await freeLapsedCalls(unit, [])
}

/** Frees the requests whose lease has lapsed, except those that this process is still making. */
export async function freeLapsedCalls(unit: Unit, running: readonly string[]): Promise<void> {
  await unit.db
    .update(callTable)
    .set(unleased)
    .where(and(lte(callTable.leaseUntil, unit.now), notInArray(callTable.id, [...running])))
}

/** Plans the next attempt, unless the request is gone. */
export async function postponeCall(unit: Unit, id: string, attempts: number, dueAt: number): Promise<void> {
  await unit.db
    .update(callTable)
    .set({ ...unleased, attempts, dueAt })
    .where(eq(callTable.id, id))
}

/** Removes a request; false when it is gone. */
export async function deleteCall(unit: Unit, id: string): Promise<boolean> {
  return (await unit.db.delete(callTable).where(eq(callTable.id, id)).returning({ id: callTable.id })).length > 0
}

/** Removes the requests of executions. */
export async function deleteCallsOf(unit: Unit, executionIds: readonly string[]): Promise<void> {
  const steps = unit.db
    .select({ id: stepExecutionTable.id })
    .from(stepExecutionTable)
    .where(and(inArray(stepExecutionTable.executionId, [...executionIds]), isOpen))
  await unit.db.delete(callTable).where(inArray(callTable.id, steps))
}

/** A WEBHOOK step that waits for the answer of its request. */
export interface Calling {
  readonly execution: Execution
  readonly stepExecution: StepExecution
  readonly step: Pick<Step, "config">
}

/** The step of a request with its execution; undefined when the execution does not wait for its answer any more. */
export async function findCalling(db: Db, stepExecutionId: string): Promise<Calling | undefined> {
  const [row] = await db
    .select({ execution: executionTable, stepExecution: stepExecutionTable, step: stepTable })
    .from(stepExecutionTable)
    .innerJoin(executionTable, eq(executionTable.id, stepExecutionTable.executionId))
    .innerJoin(stepTable, eq(stepTable.id, stepExecutionTable.stepId))
    .where(and(eq(stepExecutionTable.id, stepExecutionId), isOpen, isActive))
  return row
}

import { Type } from "@sinclair/typebox"
import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm"
import type { Bus } from "../../../bus/bus.ts"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze } from "../../../jobs/define.ts"
import { inSlices } from "../../../store/slices.ts"
import type { Unit } from "../../../store/writer.ts"
import { deleteCallsOf } from "../engine/call-store.ts"
import { exitExecutions } from "../engine/end.ts"
import { skipOpenSteps } from "../engine/step-store.ts"
import { delayOf } from "../engine/steps.ts"
import { isActive } from "../engine/store.ts"
import { executionTable, stepExecutionTable, stepTable } from "../table.ts"
import type { Plan } from "./plan.ts"
import { findVersion, latestVersion, saveVersion } from "./store.ts"

/** Moves the contacts of a published graph that were too many for its unit. */
const moveContacts = defineJob(
  "workflow.move",
  Type.Object({ projectId: Type.String(), workflowId: Type.String(), version: Type.Integer() }),
  // Retried until done, because nothing else would move the remaining contacts.
  { attempts: Number.MAX_SAFE_INTEGER },
)

/** Contacts that one unit moves. */
const moveSlice = 500

const { id, currentStepId, dueAt, status } = executionTable

/** Moves up to `limit` contacts off removed steps; resolves to their number. */
async function moveSome(bus: Pick<Bus, "emit">, unit: Unit, moves: Plan["moves"], limit: number): Promise<number> {
  if (moves.size === 0) return 0
  const rows = await unit.db
    .select({ id, from: currentStepId })
    .from(executionTable)
    .where(inArray(currentStepId, [...moves.keys()]))
    .limit(limit)
  if (rows.length === 0) return 0
  const all = rows.map((row) => row.id)
  await deleteCallsOf(unit, all)
  await skipOpenSteps(unit, all)
  for (const [to, group] of Map.groupBy(rows, ({ from }) => moves.get(from ?? "") ?? null)) {
    const ids = group.map((row) => row.id)
    if (to === null) await exitExecutions(bus, unit, ids)
    else
      await unit.db
        .update(executionTable)
        .set({
          status: "RUNNING",
          currentStepId: to,
          dueAt: unit.now,
          waitsFor: null,
          waitsAfter: null,
          updatedAt: unit.now,
        })
        .where(and(inArray(id, ids), isActive))
  }
  return rows.length
}

/**
 * Recomputes the end of the delay for up to `limit` contacts on a DELAY step, in the order of their executions after a
 * position; resolves to the position of the last one and their number.
 */
async function replanSome(unit: Unit, stepId: string, after: string, limit: number) {
  const [step] = await unit.db.select().from(stepTable).where(eq(stepTable.id, stepId))
  if (step?.type !== "DELAY") return { rows: 0, last: after }
  const resting = await unit.db
    .select({ id })
    .from(executionTable)
    .where(and(eq(currentStepId, stepId), gt(id, after)))
    .orderBy(asc(id))
    .limit(limit)
  const ids = resting.map((row) => row.id)
  const last = ids.at(-1)
  if (last === undefined) return { rows: 0, last: after }
  const { executionId, scheduledFor, startedAt, completedAt } = stepExecutionTable
  await unit.db
    .update(stepExecutionTable)
    .set({ scheduledFor: sql`${startedAt} + ${delayOf(step.config)}` })
    .where(
      and(
        inArray(executionId, ids),
        isNull(completedAt),
        eq(stepExecutionTable.stepId, stepId),
        eq(stepExecutionTable.status, "SCHEDULED"),
      ),
    )
  const planned = sql`(SELECT ${scheduledFor} FROM ${stepExecutionTable}
    WHERE ${executionId} = ${id} AND ${completedAt} IS NULL)`
  await unit.db
    .update(executionTable)
    .set({ dueAt: planned, updatedAt: unit.now })
    .where(and(inArray(id, ids), eq(status, "WAITING"), sql`${dueAt} IS NOT NULL`))
  return { rows: ids.length, last }
}

/** Moves contacts to a new graph: some in its unit, so that the writer is not held, the others in the background. */
export function createMoves({ store, bus, jobs }: Pick<Engine, "store" | "bus" | "jobs">) {
  const handlers: JobHandler[] = [
    handles(moveContacts, async ({ projectId, workflowId, version }, abort) => {
      const published = await findVersion(store.read, workflowId, version)
      if (published === undefined) return done
      const moves = new Map(Object.entries(published.moves ?? {}))
      // A later graph has a plan of its own, which includes this one.
      const isPresent = async (unit: Unit) => (await latestVersion(unit.db, workflowId)) === version
      const options = { size: moveSlice, abort }
      const moving = await inSlices(
        store,
        projectId,
        async (unit, limit) => ((await isPresent(unit)) ? moveSome(bus, unit, moves, limit) : 0),
        options,
      )
      if (!moving.isOver) return snooze(0)
      for (const stepId of published.delays ?? []) {
        let after = ""
        const planning = await inSlices(
          store,
          projectId,
          async (unit, limit) => {
            if (!(await isPresent(unit))) return 0
            const { rows, last } = await replanSome(unit, stepId, after, limit)
            after = last
            return rows
          },
          options,
        )
        if (!planning.isOver) return snooze(0)
      }
      const { steps, transitions } = published
      await store.write(projectId, (unit) => saveVersion(unit, workflowId, version, { steps, transitions }))
      return done
    }),
  ]

  return {
    handlers,
    /** Moves the first contacts in the unit that makes a graph the live one; true when there may be more. */
    async begin(unit: Unit, { moves, delays }: Plan): Promise<boolean> {
      let left = moveSlice - (await moveSome(bus, unit, moves, moveSlice))
      for (const stepId of delays) if (left > 0) left -= (await replanSome(unit, stepId, "", left)).rows
      return left <= 0
    },
    /** Enqueues the move of the others, by the plan stored with the version. */
    async finishLater(unit: Unit, projectId: string, workflowId: string, version: number): Promise<void> {
      await jobs.enqueue(unit, moveContacts, { projectId, workflowId, version })
    },
  }
}

export type Moves = ReturnType<typeof createMoves>

import { and, count, desc, eq, gt, inArray, isNotNull, min, sql } from "drizzle-orm"
import { nilId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Db } from "../../../store/database.ts"
import { idParam, unindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type StepExecution, stepExecutionTable } from "../table.ts"
import { everyColumn } from "./store.ts"

const { placeholder } = sql

const insertStepRow = prepare((db) => db.insert(stepExecutionTable).values(everyColumn(stepExecutionTable) as never))

export async function insertStepExecution(unit: Unit, row: StepExecution): Promise<void> {
  await insertStepRow(unit.db, { ...row })
}

export const isOpen = sql`${stepExecutionTable.completedAt} IS NULL`

const open = prepare((db) =>
  db
    .select()
    .from(stepExecutionTable)
    .where(and(eq(stepExecutionTable.executionId, idParam("executionId")), isOpen)),
)

/** The step that an execution rests on, or whose answer it waits for. */
export async function findOpenStep(db: Db, executionId: string): Promise<StepExecution | undefined> {
  const [row] = await open(db, { executionId })
  return row
}

const pausingTypes = ["DELAY", "WAIT_FOR_EVENT", "WEBHOOK"] as const

const lastRest = prepare((db) =>
  db
    .select()
    .from(stepExecutionTable)
    .where(
      and(
        eq(stepExecutionTable.executionId, idParam("executionId")),
        inArray(stepExecutionTable.type, [...pausingTypes]),
        isNotNull(stepExecutionTable.completedAt),
      ),
    )
    .orderBy(desc(stepExecutionTable.id))
    .limit(1),
)

/** The latest step that an execution has rested on, or waited for the answer of. */
export async function findLastRest(db: Db, executionId: string): Promise<StepExecution | undefined> {
  const [row] = await lastRest(db, { executionId })
  return row
}

const startsSince = prepare((db) =>
  db
    .select({ starts: count() })
    .from(stepExecutionTable)
    .where(
      and(
        eq(stepExecutionTable.executionId, idParam("executionId")),
        eq(unindexed(stepExecutionTable.stepId), idParam("stepId")),
        gt(unindexed(stepExecutionTable.startedAt), placeholder("since")),
      ),
    ),
)

/** How often an execution has started a step since a time, in ms. Reads all steps of the execution, 1,000 at most. */
export async function countStarts(db: Db, executionId: string, stepId: string, since: number): Promise<number> {
  const [row] = await startsSince(db, { executionId, stepId, since })
  return row?.starts ?? 0
}

const firstAfter = prepare((db) =>
  db
    .select({ id: min(stepExecutionTable.id) })
    .from(stepExecutionTable)
    .where(
      and(eq(stepExecutionTable.executionId, idParam("executionId")), gt(stepExecutionTable.id, idParam("after"))),
    ),
)

/** The id of the first step that an execution has started after another one, or at all. */
export async function findFirstAfter(db: Db, executionId: string, after = nilId): Promise<string | undefined> {
  const [row] = await firstAfter(db, { executionId, after })
  return row?.id ?? undefined
}

const end = prepare((db) =>
  db
    .update(stepExecutionTable)
    .set({
      status: sql`${placeholder("status")}`,
      output: sql`${placeholder("output")}`,
      error: sql`${placeholder("error")}`,
      completedAt: sql`${placeholder("completedAt")}`,
    })
    .where(eq(stepExecutionTable.id, idParam("id"))),
)

interface StepEnd {
  readonly status: "COMPLETED" | "FAILED" | "SKIPPED"
  readonly output: JsonObject | null
  readonly error: string | null
}

export async function endStepExecution(unit: Unit, id: string, { status, output, error }: StepEnd): Promise<void> {
  const text = output === null ? null : JSON.stringify(output)
  await end(unit.db, { id, status, output: text, error, completedAt: unit.now })
}

/** Changes the end of a delay. */
export async function rescheduleStep(unit: Unit, id: string, scheduledFor: number): Promise<void> {
  await unit.db.update(stepExecutionTable).set({ scheduledFor }).where(eq(stepExecutionTable.id, id))
}

/** Closes the open steps of executions (contract B5.6.10). */
export async function skipOpenSteps(unit: Unit, executionIds: readonly string[]): Promise<void> {
  await unit.db
    .update(stepExecutionTable)
    .set({ status: "SKIPPED", completedAt: unit.now })
    .where(and(inArray(stepExecutionTable.executionId, [...executionIds]), isOpen))
}

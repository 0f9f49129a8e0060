import { asc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Db } from "../../../store/database.ts"
import { jsonValueOf } from "../../../store/dialect.ts"
import { type StepExecution, stepExecutionTable, stepTable } from "../table.ts"
import { type StepRef, stepColumns } from "./store.ts"

export interface ShownStepExecution {
  readonly stepExecution: StepExecution
  /** As it is named now, or was when it started if it is gone. */
  readonly step: StepRef
}

/** The outputs of one answer, in characters of JSON (contract B5.2.14): the responses of 1,000 webhooks may have 64 MB. */
const mostOutput = 1_000_000
/** An output of this length is always shown. */
const shortOutput = 500

const { output, ...columns } = getTableColumns(stepExecutionTable)
const outputLength = sql<number>`coalesce(length(${output}), 0)`

/** In the order of their start. Of the long outputs, which are those of webhooks, the newest are read. */
export async function listStepExecutions(db: Db, executionId: string): Promise<ShownStepExecution[]> {
  const rows = await db
    .select({ row: columns, length: outputLength, step: stepColumns })
    .from(stepExecutionTable)
    .leftJoin(stepTable, eq(stepTable.id, stepExecutionTable.stepId))
    .where(eq(stepExecutionTable.executionId, executionId))
    .orderBy(asc(stepExecutionTable.startedAt), asc(stepExecutionTable.id))
  const whole = new Set<string>()
  let left = mostOutput
  for (const { row, length } of rows.toReversed()) {
    if (length > shortOutput) left -= length
    if (length <= shortOutput || left >= 0) whole.add(row.id)
  }
  const outputs = new Map([
    ...(await readOutputs(db, [...whole])),
    ...(await summarize(
      db,
      rows.flatMap(({ row: { id } }) => (whole.has(id) ? [] : id)),
    )),
  ])
  return rows.map(({ row, step }) => ({
    stepExecution: { ...row, output: outputs.get(row.id) ?? null },
    step: step ?? { id: row.stepId, name: row.name, type: row.type },
  }))
}

const isOneOf = (ids: readonly string[]): SQL => inArray(stepExecutionTable.id, [...ids])

async function readOutputs(db: Db, ids: readonly string[]): Promise<[string, JsonObject | null][]> {
  const rows = await db.select({ id: stepExecutionTable.id, output }).from(stepExecutionTable).where(isOneOf(ids))
  return rows.map((row) => [row.id, row.output])
}

/** What is left of the output of a webhook without its texts. */
async function summarize(db: Db, ids: readonly string[]): Promise<[string, JsonObject][]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      id: stepExecutionTable.id,
      statusCode: jsonValueOf(output, "$.statusCode"),
      attempts: jsonValueOf(output, "$.attempts"),
    })
    .from(stepExecutionTable)
    .where(isOneOf(ids))
  return rows.map(({ id, statusCode, attempts }) => {
    const success = Number(statusCode) >= 200 && Number(statusCode) < 300
    return [id, { statusCode, success, attempts, omitted: true }]
  })
}

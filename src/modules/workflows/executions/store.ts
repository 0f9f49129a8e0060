import { and, asc, desc, eq, inArray, sql } from "drizzle-orm"
import type { Paging } from "../../../http/page.ts"
import type { Db } from "../../../store/database.ts"
import { contactTable } from "../../contacts/index.ts"
import {
  type Execution,
  type ExecutionStatus,
  executionTable,
  type StepExecution,
  type StepType,
  stepExecutionTable,
  stepTable,
  type Workflow,
} from "../table.ts"

export interface StepRef {
  readonly id: string
  readonly name: string
  readonly type: StepType
}

/** An execution with what its record names. */
export interface ShownExecution {
  readonly execution: Execution
  /** The address of its contact. */
  readonly email: string
  readonly currentStep: StepRef | null
}

export interface ShownStepExecution {
  readonly stepExecution: StepExecution
  /** As it is named now, or was when it started if it is gone. */
  readonly step: StepRef
}

const stepColumns = { id: stepTable.id, name: stepTable.name, type: stepTable.type }

const shown = (db: Db) =>
  db
    .select({ execution: executionTable, email: contactTable.email, currentStep: stepColumns })
    .from(executionTable)
    .innerJoin(contactTable, eq(contactTable.id, executionTable.contactId))
    .leftJoin(stepTable, eq(stepTable.id, executionTable.currentStepId))

const matching = (workflowId: string, status: ExecutionStatus | undefined) =>
  and(eq(executionTable.workflowId, workflowId), status && eq(executionTable.status, status))

export async function listExecutions(
  db: Db,
  workflowId: string,
  status: ExecutionStatus | undefined,
  { offset, pageSize }: Paging,
): Promise<{ rows: ShownExecution[]; total: number }> {
  const total = await db.$count(executionTable, matching(workflowId, status))
  const rows = await shown(db)
    .where(matching(workflowId, status))
    .orderBy(desc(executionTable.id))
    .limit(pageSize)
    .offset(offset)
  return { rows, total }
}

export async function findExecution(db: Db, workflowId: string, id: string): Promise<ShownExecution | undefined> {
  const [row] = await shown(db).where(and(eq(executionTable.workflowId, workflowId), eq(executionTable.id, id)))
  return row
}

/** In the order of their start. */
export async function listStepExecutions(db: Db, executionId: string): Promise<ShownStepExecution[]> {
  const rows = await db
    .select({ stepExecution: stepExecutionTable, step: stepColumns })
    .from(stepExecutionTable)
    .leftJoin(stepTable, eq(stepTable.id, stepExecutionTable.stepId))
    .where(eq(stepExecutionTable.executionId, executionId))
    .orderBy(asc(stepExecutionTable.startedAt), asc(stepExecutionTable.id))
  return rows.map(({ stepExecution, step }) => {
    const { stepId: id, name, type } = stepExecution
    return { stepExecution, step: step ?? { id, name, type } }
  })
}

const activeStatuses: ExecutionStatus[] = ["RUNNING", "WAITING"]

export async function hasActive(db: Db, workflowId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: executionTable.id })
    .from(executionTable)
    .where(and(eq(executionTable.workflowId, workflowId), inArray(executionTable.status, activeStatuses)))
    .limit(1)
  return row !== undefined
}

/** Whether its trigger and its graph may not change (contract B5.2). */
export const isLocked = async (db: Db, { id, enabled }: Workflow): Promise<boolean> => enabled && hasActive(db, id)

/** Whether an active execution stands on a step. */
export async function isStoodOn(db: Db, stepId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: executionTable.id })
    .from(executionTable)
    .where(and(eq(executionTable.currentStepId, stepId), sql`${executionTable.currentStepId} IS NOT NULL`))
    .limit(1)
  return row !== undefined
}

/** How many executions each workflow has had. */
export async function countExecutions(db: Db, workflowIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const id of workflowIds) counts.set(id, await db.$count(executionTable, eq(executionTable.workflowId, id)))
  return counts
}

import { and, count, desc, eq, inArray, isNotNull } from "drizzle-orm"
import type { Paging } from "../../../http/page.ts"
import type { Db } from "../../../store/database.ts"
import { idParam, isUnindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Store } from "../../../store/store.ts"
import { contactTable } from "../../contacts/index.ts"
import {
  type Execution,
  type ExecutionStatus,
  executionTable,
  type StepType,
  stepExecutionTable,
  stepTable,
  type Workflow,
  workflowTable,
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

export const stepColumns = { id: stepTable.id, name: stepTable.name, type: stepTable.type }

const shown = (db: Db) =>
  db
    .select({ execution: executionTable, email: contactTable.email, currentStep: stepColumns })
    .from(executionTable)
    .innerJoin(contactTable, eq(contactTable.id, executionTable.contactId))
    .leftJoin(stepTable, eq(stepTable.id, executionTable.currentStepId))

export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined
  /** Executions at a step. */
  readonly stepId?: string | undefined
  readonly contactId?: string | undefined
}

/** Those of a contact are found by the index of contacts: a workflow may have millions. */
const matching = (workflowId: string, { status, stepId, contactId }: ExecutionFilter) =>
  and(
    contactId === undefined
      ? eq(executionTable.workflowId, workflowId)
      : isUnindexed(executionTable.workflowId, workflowId),
    status && eq(executionTable.status, status),
    stepId === undefined
      ? undefined
      : and(eq(executionTable.currentStepId, stepId), isNotNull(executionTable.currentStepId)),
    contactId === undefined ? undefined : eq(executionTable.contactId, contactId),
  )

/** A workflow may have millions: they are counted, and those before the page walked past, off the event loop. */
export async function listExecutions(
  { read, readPool }: Pick<Store, "read" | "readPool">,
  { id, projectId }: Pick<Workflow, "id" | "projectId">,
  filter: ExecutionFilter,
  { offset, pageSize }: Paging,
): Promise<{ rows: ShownExecution[]; total: number }> {
  const [counted] = await readPool.read(projectId, (db) =>
    db.select({ total: count() }).from(executionTable).where(matching(id, filter)),
  )
  const places = await readPool.read(projectId, (db) =>
    db
      .select({ id: executionTable.id })
      .from(executionTable)
      .where(matching(id, filter))
      .orderBy(desc(executionTable.id))
      .limit(pageSize)
      .offset(offset),
  )
  const ids = places.map((place) => place.id)
  const rows = await shown(read).where(inArray(executionTable.id, ids)).orderBy(desc(executionTable.id))
  return { rows, total: counted?.total ?? 0 }
}

export interface ContactExecution {
  readonly shown: ShownExecution
  readonly workflow: Pick<Workflow, "id" | "name">
}

/** The latest executions of a contact. */
export async function listOfContact(
  db: Db,
  projectId: string,
  contactId: string,
  limit: number,
): Promise<ContactExecution[]> {
  const rows = await db
    .select({
      execution: executionTable,
      email: contactTable.email,
      currentStep: stepColumns,
      workflow: { id: workflowTable.id, name: workflowTable.name },
    })
    .from(executionTable)
    .innerJoin(workflowTable, eq(workflowTable.id, executionTable.workflowId))
    .innerJoin(contactTable, eq(contactTable.id, executionTable.contactId))
    .leftJoin(stepTable, eq(stepTable.id, executionTable.currentStepId))
    .where(and(eq(executionTable.contactId, contactId), eq(executionTable.projectId, projectId)))
    .orderBy(desc(executionTable.id))
    .limit(limit)
  return rows.map(({ workflow, ...shown }) => ({ shown, workflow }))
}

export async function findExecution(db: Db, workflowId: string, id: string): Promise<ShownExecution | undefined> {
  const [row] = await shown(db).where(and(eq(executionTable.workflowId, workflowId), eq(executionTable.id, id)))
  return row
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
    .where(and(eq(executionTable.currentStepId, stepId), isNotNull(executionTable.currentStepId)))
    .limit(1)
  return row !== undefined
}

const stepRecord = prepare((db) =>
  db
    .select({ workflowId: executionTable.workflowId })
    .from(stepExecutionTable)
    .innerJoin(executionTable, eq(executionTable.id, stepExecutionTable.executionId))
    .where(eq(stepExecutionTable.stepId, idParam("stepId")))
    .limit(1),
)

const standing = prepare((db) =>
  db
    .select({ workflowId: executionTable.workflowId })
    .from(executionTable)
    .where(and(eq(executionTable.currentStepId, idParam("stepId")), isNotNull(executionTable.currentStepId)))
    .limit(1),
)

/** The workflow whose executions name a step, which may be gone: they all are of one. */
export async function findWorkflowOfStep(db: Db, stepId: string): Promise<string | undefined> {
  const [known] = [...(await stepRecord(db, { stepId })), ...(await standing(db, { stepId }))]
  return known?.workflowId
}

export interface ExecutionCounts {
  readonly executions: number
  readonly active: number
}

/** How many executions workflows of a project have had, and have. */
export async function countExecutions(
  readPool: Store["readPool"],
  projectId: string,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, ExecutionCounts>> {
  const rows = await readPool.read(projectId, (db) =>
    db
      .select({ id: executionTable.workflowId, status: executionTable.status, total: count() })
      .from(executionTable)
      .where(inArray(executionTable.workflowId, [...workflowIds]))
      .groupBy(executionTable.workflowId, executionTable.status),
  )
  const counts = new Map<string, ExecutionCounts>()
  for (const { id, status, total } of rows) {
    const { executions, active } = counts.get(id) ?? { executions: 0, active: 0 }
    const isActive = activeStatuses.includes(status)
    counts.set(id, { executions: executions + total, active: active + (isActive ? total : 0) })
  }
  return counts
}

import { and, eq, getTableColumns, gt, isNotNull, lt, lte, min, sql } from "drizzle-orm"
import { day, hour } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { listDistinct } from "../../../store/distinct.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Execution, executionTable, type Workflow, workflowTable } from "../table.ts"

const { placeholder } = sql

/** Literals, not parameters, because a partial index is used only if the statement contains its condition. */
export const isActive = sql`${executionTable.status} IN ('RUNNING', 'WAITING')`
/** Whether an execution goes on by itself, now or later. */
export const isPlanned = sql`${executionTable.dueAt} IS NOT NULL`
const isWaiting = sql`${executionTable.waitsFor} IS NOT NULL`

export const everyColumn = (table: Parameters<typeof getTableColumns>[0]) =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, placeholder(name)]))

// Workflows

const byEvent = prepare((db) =>
  db
    .select()
    .from(workflowTable)
    .where(
      and(eq(workflowTable.projectId, idParam("projectId")), eq(workflowTable.eventName, placeholder("eventName"))),
    ),
)

/** The enabled workflows that an event of this name starts (contract B5.5.1). */
export async function listStartable(db: Db, projectId: string, eventName: string): Promise<Workflow[]> {
  const found = await byEvent(db, { projectId, eventName })
  return found.filter(({ enabled, triggerType }) => enabled && triggerType === "EVENT")
}

const byWorkflowId = prepare((db) =>
  db
    .select()
    .from(workflowTable)
    .where(eq(workflowTable.id, idParam("id"))),
)

export async function findWorkflowById(db: Db, id: string): Promise<Workflow | undefined> {
  const [row] = await byWorkflowId(db, { id })
  return row
}

// Executions

const insertOne = prepare((db) => db.insert(executionTable).values(everyColumn(executionTable) as never))

export async function insertExecution(unit: Unit, execution: Execution): Promise<void> {
  await insertOne(unit.db, { ...execution })
}

/** The columns in which an execution moves. */
export type Position = Pick<
  Execution,
  | "status"
  | "currentStepId"
  | "exitReason"
  | "steps"
  | "dueAt"
  | "waitsFor"
  | "waitsAfter"
  | "completedAt"
  | "updatedAt"
>

const positionColumns = [
  "status",
  "currentStepId",
  "exitReason",
  "steps",
  "dueAt",
  "waitsFor",
  "waitsAfter",
  "completedAt",
  "updatedAt",
] as const satisfies readonly (keyof Position)[]

const move = prepare((db) =>
  db
    .update(executionTable)
    .set(
      Object.fromEntries(
        positionColumns.map((name) => [name, sql`${sql.param(placeholder(name), executionTable[name])}`]),
      ),
    )
    .where(and(eq(executionTable.id, idParam("id")), isActive)),
)

export async function saveExecution(unit: Unit, execution: Execution): Promise<void> {
  await move(unit.db, { ...execution })
}

export async function postponeExecution(unit: Unit, id: string, dueAt: number): Promise<void> {
  await unit.db
    .update(executionTable)
    .set({ dueAt })
    .where(and(eq(executionTable.id, id), isPlanned))
}

const byId = prepare((db) =>
  db
    .select()
    .from(executionTable)
    .where(eq(executionTable.id, idParam("id"))),
)

export async function findExecutionById(db: Db, id: string): Promise<Execution | undefined> {
  const [row] = await byId(db, { id })
  return row
}

const earlier = prepare((db) =>
  db
    .select({ status: executionTable.status })
    .from(executionTable)
    .where(
      and(eq(executionTable.contactId, idParam("contactId")), eq(executionTable.workflowId, idParam("workflowId"))),
    )
    .limit(1),
)

const active = prepare((db) =>
  db
    .select({ status: executionTable.status })
    .from(executionTable)
    .where(
      and(
        eq(executionTable.contactId, idParam("contactId")),
        eq(executionTable.workflowId, idParam("workflowId")),
        isActive,
      ),
    )
    .limit(1),
)

/** Whether a contact may start a workflow (contract B5.5.2). */
export async function mayEnter(db: Db, { id, allowReentry }: Workflow, contactId: string): Promise<boolean> {
  const found = await (allowReentry ? active : earlier)(db, { workflowId: id, contactId })
  return found.length === 0
}

const running = prepare((db) =>
  db
    .select()
    .from(executionTable)
    .where(
      and(
        eq(executionTable.contactId, idParam("contactId")),
        eq(executionTable.workflowId, idParam("workflowId")),
        eq(executionTable.status, "RUNNING"),
        lte(executionTable.dueAt, placeholder("now")),
      ),
    )
    .limit(1),
)

/** The execution of a contact in a workflow that is to make its next step now, without a rest or a request to wait for. */
export async function findRunning(
  db: Db,
  at: { workflowId: string; contactId: string; now: number },
): Promise<Execution | undefined> {
  const [row] = await running(db, at)
  return row
}

/** Starts of one workflow by events of one contact in an hour, and of all workflows in a day (contract B5.5.4). */
export const startsPerHour = 20
const startsPerDay = 200

const recent = prepare((db) =>
  db
    .select({ workflowId: executionTable.workflowId, startedAt: executionTable.startedAt })
    .from(executionTable)
    .where(
      and(
        eq(executionTable.contactId, idParam("contactId")),
        isNotNull(executionTable.eventId),
        gt(executionTable.startedAt, placeholder("since")),
        // Later ones were started before the clock was set back.
        lte(executionTable.startedAt, placeholder("now")),
      ),
    )
    .limit(startsPerDay),
)

/**
 * Whether an event of a contact may start a workflow: public keys track events of any address, and workflows can start each
 * other in a circle.
 */
export async function isWithinStarts(db: Db, { id }: Workflow, contactId: string, now: number): Promise<boolean> {
  const starts = await recent(db, { contactId, since: now - day, now })
  if (starts.length === startsPerDay) return false
  return (
    starts.filter(({ workflowId, startedAt }) => workflowId === id && startedAt > now - hour).length < startsPerHour
  )
}

const waiting = prepare((db) =>
  db
    .select()
    .from(executionTable)
    .where(
      and(
        isWaiting,
        eq(executionTable.projectId, idParam("projectId")),
        eq(executionTable.waitsFor, placeholder("name")),
        eq(executionTable.contactId, idParam("contactId")),
        lt(executionTable.waitsAfter, placeholder("seq")),
      ),
    ),
)

/** The executions of a contact that wait for an event, and did so before the position `seq` of the log. */
export const listWaiting = (
  db: Db,
  at: { projectId: string; name: string; contactId: string; seq: number },
): Promise<Execution[]> => waiting(db, { ...at })

const nextWait = prepare((db) =>
  db
    .select({ name: min(executionTable.waitsFor) })
    .from(executionTable)
    .where(
      and(
        isWaiting,
        eq(executionTable.projectId, idParam("projectId")),
        gt(executionTable.waitsFor, placeholder("after")),
      ),
    ),
)

/** The events that executions of a project wait for: one index lookup for each. */
export const listAwaited = (db: Db, projectId: string): Promise<string[]> =>
  listDistinct(async (after) => (await nextWait(db, { projectId, after }))[0]?.name)

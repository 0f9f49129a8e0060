import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { contactTable } from "../contacts/index.ts"
import { projectTable } from "../projects/index.ts"

export const triggerTypes = ["EVENT", "MANUAL"] as const
export const stepTypes = [
  "TRIGGER",
  "SEND_EMAIL",
  "DELAY",
  "WAIT_FOR_EVENT",
  "CONDITION",
  "WEBHOOK",
  "UPDATE_CONTACT",
  "EXIT",
] as const
export type StepType = (typeof stepTypes)[number]
export type StepConfig = Readonly<Record<string, unknown>>

export const workflowTable = sqliteTable(
  "workflow",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    name: string("name").notNull(),
    description: string("description"),
    enabled: flag("enabled").notNull(),
    triggerType: choice("trigger_type", triggerTypes).notNull(),
    /** The event that starts it; null for MANUAL. */
    eventName: string("event_name"),
    allowReentry: flag("allow_reentry").notNull(),
    /** Increases in each unit that changes the graph: copies of the graph are kept under it. */
    version: count("version").notNull().default(1),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("workflow_project").on(t.projectId, t.id), index("workflow_event").on(t.projectId, t.eventName)],
)

export const stepTable = sqliteTable(
  "workflow_step",
  {
    id: uuid("id").primaryKey(),
    workflowId: uuid("workflow_id")
      .notNull()
      .references(() => workflowTable.id, { onDelete: "cascade" }),
    type: choice("type", stepTypes).notNull(),
    name: string("name").notNull(),
    position: json<{ x: number; y: number }>("position").notNull(),
    config: json<StepConfig>("config").notNull(),
    /** The template of a SEND_EMAIL step. */
    templateId: uuid("template_id"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("workflow_step_workflow").on(t.workflowId, t.id), index("workflow_step_template").on(t.templateId)],
)

export const transitionTable = sqliteTable(
  "workflow_transition",
  {
    id: uuid("id").primaryKey(),
    workflowId: uuid("workflow_id")
      .notNull()
      .references(() => workflowTable.id, { onDelete: "cascade" }),
    fromStepId: uuid("from_step_id")
      .notNull()
      .references(() => stepTable.id, { onDelete: "cascade" }),
    toStepId: uuid("to_step_id")
      .notNull()
      .references(() => stepTable.id, { onDelete: "cascade" }),
    /** The exit it starts from; `""` is the plain one, so that the unique index holds for it too. */
    branch: string("branch").notNull(),
    priority: count("priority").notNull(),
    /** Added by `autoConnect`: gives way to an explicit one (contract B5.3.2). */
    automatic: flag("automatic").notNull(),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [
    index("workflow_transition_workflow").on(t.workflowId, t.id),
    uniqueIndex("workflow_transition_exit").on(t.fromStepId, t.branch),
    index("workflow_transition_entry").on(t.toStepId),
  ],
)

export const executionStatuses = ["RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

/**
 * One run of a contact through a workflow. The workflow may already be deleted: its executions are deleted in slices.
 */
export const executionTable = sqliteTable(
  "workflow_execution",
  {
    id: uuid("id").primaryKey(),
    workflowId: uuid("workflow_id").notNull(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id")
      .notNull()
      .references(() => contactTable.id, { onDelete: "cascade" }),
    status: choice("status", executionStatuses).notNull(),
    /** The step it stands on; null at the end. */
    currentStepId: uuid("current_step_id"),
    exitReason: string("exit_reason"),
    context: json<JsonObject>("context").notNull(),
    /** The event that started it; null for a start by hand. */
    eventId: uuid("event_id"),
    /** How many steps it has started (contract B5.6.7). */
    steps: count("steps").notNull().default(0),
    /** When the engine advances it; null while only an event or the answer of a webhook can, and at the end. */
    dueAt: timeMs("due_at"),
    /** While a WAIT_FOR_EVENT step rests: the event, and the end of the log when the wait began. */
    waitsFor: string("waits_for"),
    waitsAfter: count("waits_after"),
    startedAt: timeMs("started_at").notNull(),
    completedAt: timeMs("completed_at"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [
    index("workflow_execution_workflow").on(t.workflowId, t.id),
    index("workflow_execution_status").on(t.workflowId, t.status, t.id),
    index("workflow_execution_step").on(t.currentStepId, t.id).where(sql`current_step_id IS NOT NULL`),
    index("workflow_execution_contact").on(t.contactId, t.workflowId),
    index("workflow_execution_due").on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index("workflow_execution_started").on(t.projectId, t.startedAt),
    index("workflow_execution_completed").on(t.projectId, t.completedAt).where(sql`completed_at IS NOT NULL`),
    index("workflow_execution_planned").on(t.projectId, t.status, t.dueAt, t.id).where(sql`due_at IS NOT NULL`),
    index("workflow_execution_waiting").on(t.projectId, t.waitsFor, t.contactId).where(sql`waits_for IS NOT NULL`),
  ],
)

export const stepExecutionStatuses = [
  "PENDING",
  "RUNNING",
  "SCHEDULED",
  "WAITING",
  "COMPLETED",
  "FAILED",
  "SKIPPED",
] as const
export type StepExecutionStatus = (typeof stepExecutionStatuses)[number]

export const stepExecutionTable = sqliteTable(
  "workflow_step_execution",
  {
    id: uuid("id").primaryKey(),
    executionId: uuid("execution_id")
      .notNull()
      .references(() => executionTable.id, { onDelete: "cascade" }),
    stepId: uuid("step_id").notNull(),
    /** As of its start: the step may change or go. */
    name: string("name").notNull(),
    type: choice("type", stepTypes).notNull(),
    status: choice("status", stepExecutionStatuses).notNull(),
    scheduledFor: timeMs("scheduled_for"),
    output: json<JsonObject>("output"),
    error: string("error"),
    startedAt: timeMs("started_at").notNull(),
    completedAt: timeMs("completed_at"),
  },
  (t) => [
    index("workflow_step_execution_execution").on(t.executionId, t.id),
    index("workflow_step_execution_open").on(t.executionId).where(sql`completed_at IS NULL`),
    index("workflow_step_execution_completed").on(t.stepId, t.completedAt),
  ],
)

/** A request of a WEBHOOK step that is still to be made or repeated. Its row goes with the answer. */
export const callTable = sqliteTable(
  "workflow_call",
  {
    /** The step execution, whose id is the idempotency key of all attempts (contract B5.8.2). */
    id: uuid("id")
      .primaryKey()
      .references(() => stepExecutionTable.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    attempts: count("attempts").notNull().default(0),
    dueAt: timeMs("due_at").notNull(),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: timeMs("lease_until"),
  },
  (t) => [
    index("workflow_call_due").on(t.projectId, t.dueAt),
    index("workflow_call_leased").on(t.leaseUntil).where(sql`lease_until IS NOT NULL`),
    index("workflow_call_next").on(t.dueAt).where(sql`lease_until IS NULL`),
  ],
)

/** A whole graph, as drafts and earlier versions keep it. */
export interface GraphDocument {
  readonly steps: readonly Pick<Step, "id" | "type" | "name" | "position" | "config" | "templateId">[]
  readonly transitions: readonly Pick<Transition, "id" | "fromStepId" | "toStepId" | "branch" | "priority">[]
}

/** A published graph, and its unfinished plan for contacts (contract B5.11.6). */
export interface PublishedGraph extends GraphDocument {
  /** Where contacts continue from steps that it does not have: at a step, or null where they end. */
  readonly moves?: Readonly<Record<string, string | null>>
  /** DELAY steps whose contacts rest as long as it says, counted from the start of their rest. */
  readonly delays?: readonly string[]
}

/**
 * A changed graph beside the live one, at most one per workflow. After it was discarded or published, a row without
 * steps remains, so that the revision numbers continue.
 */
export const draftTable = sqliteTable("workflow_draft", {
  workflowId: uuid("workflow_id")
    .primaryKey()
    .references(() => workflowTable.id, { onDelete: "cascade" }),
  graph: json<GraphDocument>("graph").notNull(),
  /** The version of the live graph that it was made from. */
  basedOn: count("based_on").notNull(),
  /** Increases with each change of the draft: `version` of a request is compared with it. */
  revision: count("revision").notNull(),
  createdAt: timeMs("created_at").notNull(),
  updatedAt: timeMs("updated_at").notNull(),
})

/** The graphs that were published. */
export const versionTable = sqliteTable(
  "workflow_version",
  {
    workflowId: uuid("workflow_id")
      .notNull()
      .references(() => workflowTable.id, { onDelete: "cascade" }),
    version: count("version").notNull(),
    graph: json<PublishedGraph>("graph").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.version] })],
)

export type Workflow = typeof workflowTable.$inferSelect
export type Step = typeof stepTable.$inferSelect
export type Transition = typeof transitionTable.$inferSelect
export type Execution = typeof executionTable.$inferSelect
export type StepExecution = typeof stepExecutionTable.$inferSelect
export type Draft = typeof draftTable.$inferSelect
export type Call = typeof callTable.$inferSelect

import type {
  audienceSchema,
  contactExecutionSchema,
  draftSchema,
  ExecutionStatus,
  executionSchema,
  fieldsSchema,
  flowSchema,
  listedSchema,
  newWorkflowBody,
  StepExecutionStatus,
  StepType,
  simulationBody,
  simulationSchema,
  stepExecutionSchema,
  versionsSchema,
  wholeExecutionSchema,
  wholeSchema,
  workflowChangeBody,
  workflowSchema,
} from "../../modules/workflows/index.ts"
import { call, queryString, read } from "./http.ts"
import { type Data, type PageList, valuesOf, type Wire } from "./types.ts"

export type { ExecutionStatus, StepExecutionStatus, StepType }

/** Contract B5.1, without the graph. */
export type WorkflowFields = Wire<typeof workflowSchema>
export type ListedWorkflow = Wire<typeof listedSchema>
/** With its graph. */
export type Workflow = Wire<typeof wholeSchema>
export type TriggerType = Workflow["triggerType"]

/** Contract B5.1. */
export type Execution = Wire<typeof executionSchema>
export type StepExecution = Wire<typeof stepExecutionSchema>
export type WholeExecution = Wire<typeof wholeExecutionSchema>
type ContactExecution = Wire<typeof contactExecutionSchema>
/** How many contacts stand on each step, and how often each exit was taken. */
export type WorkflowFlow = Wire<typeof flowSchema>

/** A run in virtual time: what each step would have done. */
export type Simulation = Wire<typeof simulationSchema>
export type SimulatedStep = Simulation["steps"][number]
export type SimulationRequest = Wire<typeof simulationBody>

/** A step and a transition as a graph is sent. */
interface SentStep {
  readonly id: string
  readonly type: StepType
  readonly name: string
  readonly position: { readonly x: number; readonly y: number }
  readonly config: Data
  readonly templateId: string | null
}
export interface SentTransition {
  /** A new one gets an id. */
  readonly id?: string
  readonly priority?: number
  readonly fromStepId: string
  readonly toStepId: string
  readonly branch: string | null
}
export interface SentGraph {
  readonly steps: readonly SentStep[]
  readonly transitions: readonly SentTransition[]
}

/** A changed graph beside the live one, and what publishing it would do. */
export type WorkflowDraft = Wire<typeof draftSchema>
type WorkflowVersion = Wire<typeof versionsSchema>[number]

/** Where the people of a removed step go: another step, or out of the workflow. */
export type Moves = Readonly<Record<string, string>>
export const leaves = "EXIT"

export const executionStatuses = valuesOf<ExecutionStatus>({
  RUNNING: true,
  WAITING: true,
  COMPLETED: true,
  EXITED: true,
  FAILED: true,
  CANCELLED: true,
})

export type WorkflowSort = "createdAt" | "updatedAt" | "name"

export interface WorkflowQuery {
  readonly search: string
  readonly sort: WorkflowSort
  readonly dir: "asc" | "desc"
  readonly page: number
  readonly pageSize: number
}

const path = (id: string): string => `/workflows/${encodeURIComponent(id)}`

export const listWorkflows = (
  projectId: string,
  query: WorkflowQuery,
  signal?: AbortSignal,
): Promise<PageList<ListedWorkflow>> => read(`/workflows${queryString({ ...query })}`, { projectId, signal })

export const getWorkflow = (projectId: string, id: string, signal?: AbortSignal): Promise<Workflow> =>
  read(path(id), { projectId, signal })

export const createWorkflow = (projectId: string, fields: Wire<typeof newWorkflowBody>): Promise<Workflow> =>
  read("/workflows", { projectId, method: "POST", body: fields })

export const changeWorkflow = (
  projectId: string,
  id: string,
  change: Wire<typeof workflowChangeBody>,
): Promise<WorkflowFields> => read(path(id), { projectId, method: "PATCH", body: change })

export async function deleteWorkflow(projectId: string, id: string): Promise<void> {
  await call(path(id), { projectId, method: "DELETE" })
}

export const replaceGraph = (
  projectId: string,
  id: string,
  graph: SentGraph & { readonly version: number },
): Promise<Workflow> => read(`${path(id)}/graph`, { projectId, method: "PUT", body: graph })

export const getDraft = (projectId: string, id: string, signal?: AbortSignal): Promise<WorkflowDraft> =>
  read(`${path(id)}/draft`, { projectId, signal })

/** `version` is that of the draft as it was read, if there was one; `basedOn` that of the live graph. */
export async function saveDraft(
  projectId: string,
  id: string,
  graph: SentGraph & { readonly version?: number; readonly basedOn: number },
): Promise<void> {
  await call(`${path(id)}/draft`, { projectId, method: "PUT", body: graph })
}

export const publishDraft = (projectId: string, id: string, version: number, moves: Moves): Promise<Workflow> =>
  read(`${path(id)}/publish`, { projectId, method: "POST", body: { version, moves } })

export async function discardDraft(projectId: string, id: string): Promise<void> {
  await call(`${path(id)}/draft/discard`, { projectId, method: "POST" })
}

export const listVersions = (
  projectId: string,
  id: string,
  signal?: AbortSignal,
): Promise<readonly WorkflowVersion[]> => read(`${path(id)}/versions`, { projectId, signal })

/** Takes an earlier graph into the draft; `draft` is the version of the one that it replaces. */
export async function restoreVersion(
  projectId: string,
  id: string,
  version: number,
  draft: number | null,
): Promise<void> {
  const body = draft === null ? {} : { version: draft }
  await call(`${path(id)}/versions/${version}/restore`, { projectId, method: "POST", body })
}

export const previewAudience = (
  projectId: string,
  id: string,
  days: number,
  signal?: AbortSignal,
): Promise<Wire<typeof audienceSchema>> =>
  read(`${path(id)}/audience-preview${queryString({ days })}`, { projectId, signal })

export const getWorkflowFlow = (projectId: string, id: string, signal?: AbortSignal): Promise<WorkflowFlow> =>
  read(`${path(id)}/flow`, { projectId, signal })

/** The fields that a CONDITION step can be about (contract B5.2.2). */
export const listStepFields = (
  projectId: string,
  eventName: string,
  signal?: AbortSignal,
): Promise<Wire<typeof fieldsSchema>> => read(`/workflows/fields${queryString({ eventName })}`, { projectId, signal })

/** Nothing is stored, sent or called. */
export const simulateWorkflow = (projectId: string, id: string, body: SimulationRequest): Promise<Simulation> =>
  read(`${path(id)}/simulate`, { projectId, method: "POST", body })

export interface ExecutionQuery {
  readonly status: ExecutionStatus | null
  /** Those that stand on this step; `""` for all. */
  readonly stepId: string
  readonly page: number
  readonly pageSize: number
}

export const listExecutions = (
  projectId: string,
  id: string,
  query: ExecutionQuery,
  signal?: AbortSignal,
): Promise<PageList<Execution>> => read(`${path(id)}/executions${queryString({ ...query })}`, { projectId, signal })

export const getExecution = (
  projectId: string,
  id: string,
  executionId: string,
  signal?: AbortSignal,
): Promise<WholeExecution> => read(`${path(id)}/executions/${encodeURIComponent(executionId)}`, { projectId, signal })

export const startExecution = (
  projectId: string,
  id: string,
  body: { readonly contactId: string; readonly context: Data },
): Promise<Execution> => read(`${path(id)}/executions`, { projectId, method: "POST", body })

export const cancelExecution = (projectId: string, id: string, executionId: string): Promise<Execution> =>
  read(`${path(id)}/executions/${encodeURIComponent(executionId)}`, { projectId, method: "DELETE" })

export const cancelExecutions = (projectId: string, id: string): Promise<{ readonly cancelled: number }> =>
  read(`${path(id)}/executions/cancel-all`, { projectId, method: "POST" })

/** The latest executions of a contact in all workflows, newest first. */
export const listExecutionsOf = (
  projectId: string,
  contactId: string,
  signal?: AbortSignal,
): Promise<readonly ContactExecution[]> =>
  read(`/contacts/${encodeURIComponent(contactId)}/workflows`, { projectId, signal })

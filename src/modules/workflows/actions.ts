import type { Engine } from "../../engine.ts"
import type { Paging } from "../../http/page.ts"
import { conflict, fault, invalid, notFound } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { findDraft } from "./drafts/store.ts"
import type { Listeners } from "./engine/listeners.ts"
import { countExecutions, hasActive, isLocked } from "./executions/store.ts"
import type { Graph } from "./graph.ts"
import {
  countVersion,
  deleteWorkflow,
  findWorkflow,
  hasEnabledWorkflow,
  insertStep,
  insertWorkflow,
  listWorkflows,
  readGraph,
  saveStep,
  saveWorkflow,
  type WorkflowQuery,
} from "./store.ts"
import type { Draft, Step, Workflow } from "./table.ts"

export interface WorkflowFields extends Pick<Workflow, "name" | "description" | "allowReentry"> {
  readonly eventName: string
}

/** The fields of a workflow that a request changes; `undefined` keeps the stored value. */
export type WorkflowChange = {
  readonly [K in "name" | "description" | "enabled" | "allowReentry" | "triggerType" | "eventName"]?:
    | Workflow[K]
    | undefined
}

export interface WholeWorkflow extends Graph {
  readonly workflow: Workflow
  readonly draft: Draft | undefined
}

export async function getWorkflow(db: Db, projectId: string, id: string): Promise<Workflow> {
  const workflow = await findWorkflow(db, projectId, id)
  if (workflow === undefined) throw notFound("Workflow", id)
  return workflow
}

/** A workflow with its graph and its draft as they are stored. */
export async function readWhole(db: Db, workflow: Workflow): Promise<WholeWorkflow> {
  return { workflow, ...(await readGraph(db, workflow.id)), draft: await findDraft(db, workflow.id) }
}

/** The rules of a workflow cannot change while contacts are in it (contract B5.2). */
export const locked = () =>
  conflict(
    "Contacts are in this workflow. Disable it, or wait until they have left, before its graph or trigger changes.",
  )

const triggerConfig = (eventName: string | null) => (eventName === null ? {} : { eventName })

/** The workflow after a change; the same object when nothing changes (contract A1.1.6). @throws {DomainError} 422 */
function changed(stored: Workflow, change: WorkflowChange, now: number): Workflow {
  const sent = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const wanted: Workflow = { ...stored, ...sent }
  const next = wanted.triggerType === "MANUAL" ? { ...wanted, eventName: null } : wanted
  if (next.triggerType === "EVENT" && next.eventName === null)
    throw invalid([fault("triggerConfig.eventName", "required", "triggerConfig.eventName is required.")])
  return Bun.deepEquals(next, stored) ? stored : { ...next, updatedAt: now }
}

interface WorkflowActionDeps extends Pick<Engine, "store" | "ids"> {
  readonly listeners: Pick<Listeners, "add">
  /** Deletes the executions of a workflow that the unit deletes. */
  purge(unit: Unit, projectId: string, workflowId: string): Promise<void>
}

export function createWorkflowActions({ store, ids, listeners, purge }: WorkflowActionDeps) {
  /** The trigger's config repeats the event of the workflow (contract B5.4.1). */
  async function saveTrigger(unit: Unit, { id, eventName, updatedAt }: Workflow): Promise<void> {
    const trigger = (await readGraph(unit.db, id)).steps.find(({ type }) => type === "TRIGGER")
    if (trigger) await saveStep(unit, { ...trigger, config: triggerConfig(eventName), updatedAt })
  }

  return {
    async list(projectId: string, query: WorkflowQuery, paging: Paging) {
      const { rows, total } = await listWorkflows(store.read, projectId, query, paging)
      const ids = rows.map(({ workflow }) => workflow.id)
      const counts = await countExecutions(store.readPool, projectId, ids)
      return {
        rows: rows.map((row) => ({ ...row, ...(counts.get(row.workflow.id) ?? { executions: 0, active: 0 }) })),
        total,
      }
    },

    hasEnabled: (projectId: string): Promise<boolean> => hasEnabledWorkflow(store.read, projectId),

    async get(projectId: string, id: string): Promise<WholeWorkflow> {
      return readWhole(store.read, await getWorkflow(store.read, projectId, id))
    },

    /** Creates a disabled workflow that an event starts, with its TRIGGER step. */
    create: (projectId: string, { eventName, ...fields }: WorkflowFields): Promise<WholeWorkflow> =>
      store.write(projectId, async (unit) => {
        const times = { createdAt: unit.now, updatedAt: unit.now }
        const workflow: Workflow = {
          ...fields,
          ...times,
          id: ids.next(),
          projectId,
          enabled: false,
          version: 1,
          triggerType: "EVENT",
          eventName,
        }
        const trigger: Step = {
          ...times,
          id: ids.next(),
          workflowId: workflow.id,
          type: "TRIGGER",
          name: "Trigger",
          position: { x: 100, y: 100 },
          config: triggerConfig(eventName),
          templateId: null,
        }
        listeners.add(projectId, eventName)
        await insertWorkflow(unit, workflow)
        await insertStep(unit, trigger)
        return { workflow, steps: [trigger], transitions: [], templateNames: new Map(), draft: undefined }
      }),

    change: (projectId: string, id: string, change: WorkflowChange): Promise<Workflow> =>
      store.write(projectId, async (unit) => {
        const stored = await getWorkflow(unit.db, projectId, id)
        const workflow = changed(stored, change, unit.now)
        if (workflow === stored) return stored
        const movesTrigger = workflow.triggerType !== stored.triggerType || workflow.eventName !== stored.eventName
        if (movesTrigger && (await isLocked(unit.db, stored))) throw locked()
        if (workflow.eventName !== null) listeners.add(projectId, workflow.eventName)
        await saveWorkflow(unit, workflow)
        if (workflow.eventName === stored.eventName) return workflow
        await saveTrigger(unit, workflow)
        await countVersion(unit, id)
        return getWorkflow(unit.db, projectId, id)
      }),

    remove: (projectId: string, id: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await getWorkflow(unit.db, projectId, id)
        if (await hasActive(unit.db, id)) throw conflict("Contacts are in this workflow. Cancel its executions first.")
        await deleteWorkflow(unit, projectId, id)
        await purge(unit, projectId, id)
      }),
  }
}

export type WorkflowActions = ReturnType<typeof createWorkflowActions>

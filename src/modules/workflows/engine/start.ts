import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Execution, Workflow } from "../table.ts"
import type { ExecutableGraph, Graphs } from "./graphs.ts"
import { insertExecution, isWithinStarts, mayEnter } from "./store.ts"

interface ExecutionStart {
  readonly workflow: Workflow
  readonly contactId: string
  readonly context: JsonObject
  /** Null for a start by hand. */
  readonly eventId: string | null
}

/** An execution that is to take up the first step of a graph. */
export const newExecution = (
  id: string,
  { workflow, contactId, context, eventId }: ExecutionStart,
  { triggerId }: Pick<ExecutableGraph, "triggerId">,
  now: number,
): Execution => ({
  id,
  workflowId: workflow.id,
  projectId: workflow.projectId,
  contactId,
  status: "RUNNING",
  currentStepId: triggerId ?? null,
  exitReason: null,
  context,
  eventId,
  steps: 0,
  dueAt: now,
  waitsFor: null,
  waitsAfter: null,
  startedAt: now,
  completedAt: null,
  createdAt: now,
  updatedAt: now,
})

/**
 * Puts a contact at the trigger of a workflow in the caller's unit; undefined when it may not enter again, or events have
 * started too much for it (contract B5.5.2, B5.5.4).
 */
export const createStart =
  ({ ids, graphs }: Pick<Engine, "ids"> & { readonly graphs: Graphs }) =>
  async (unit: Unit, of: ExecutionStart): Promise<Execution | undefined> => {
    const { workflow, contactId, eventId } = of
    if (!(await mayEnter(unit.db, workflow, contactId))) return undefined
    if (eventId !== null && !(await isWithinStarts(unit.db, workflow, contactId, unit.now))) return undefined
    const execution = newExecution(ids.next(), of, await graphs(unit, workflow), unit.now)
    await insertExecution(unit, execution)
    return execution
  }

export type StartExecution = ReturnType<typeof createStart>

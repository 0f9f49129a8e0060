import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Execution, Workflow } from "../table.ts"
import type { Graphs } from "./graphs.ts"
import { insertExecution, mayEnter } from "./store.ts"

export interface StartOf {
  readonly workflow: Workflow
  readonly contactId: string
  readonly context: JsonObject
  /** Null for a start by hand. */
  readonly eventId: string | null
}

/**
 * Puts a contact at the trigger of a workflow in the caller's unit; undefined when it may not enter again (contract
 * B5.5.2).
 */
export const createStart =
  ({ ids, graphs }: Pick<Engine, "ids"> & { readonly graphs: Graphs }) =>
  async (unit: Unit, { workflow, contactId, context, eventId }: StartOf): Promise<Execution | undefined> => {
    if (!(await mayEnter(unit.db, workflow, contactId))) return undefined
    const { triggerId } = await graphs(unit.db, workflow)
    const execution: Execution = {
      id: ids.next(),
      workflowId: workflow.id,
      projectId: workflow.projectId,
      contactId,
      status: "RUNNING",
      currentStepId: triggerId ?? null,
      exitReason: null,
      context,
      eventId,
      steps: 0,
      dueAt: unit.now,
      waitsFor: null,
      waitsAfter: null,
      startedAt: unit.now,
      completedAt: null,
      createdAt: unit.now,
      updatedAt: unit.now,
    }
    await insertExecution(unit, execution)
    return execution
  }

export type StartExecution = ReturnType<typeof createStart>

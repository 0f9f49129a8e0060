import type { Engine } from "../../../engine.ts"
import type { Paging } from "../../../http/page.ts"
import { conflict, malformed, notFound } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Db } from "../../../store/database.ts"
import { inSlices } from "../../../store/slices.ts"
import type { Contacts } from "../../contacts/index.ts"
import { getWorkflow } from "../actions.ts"
import { cancelExecutions, cancelSome } from "../engine/end.ts"
import type { StartExecution } from "../engine/start.ts"
import type { Workflow } from "../table.ts"
import { createFlow } from "./flow.ts"
import { listStepExecutions, type ShownStepExecution } from "./steps.ts"
import {
  type ContactExecution,
  type ExecutionFilter,
  findExecution,
  listExecutions,
  listOfContact,
  type ShownExecution,
} from "./store.ts"

export interface WholeExecution extends ShownExecution {
  readonly workflow: Pick<Workflow, "id" | "name">
  readonly steps: readonly ShownStepExecution[]
}

interface ExecutionDeps extends Pick<Engine, "store" | "clock" | "bus"> {
  readonly contacts: Pick<Contacts, "find">
  readonly start: StartExecution
  readonly wake: () => void
}

const cancelSlice = 500
const shownOfContact = 50

/** The executions of workflows, for people and programs (contract B5.2, rows 12 to 16). */
export function createExecutionActions({ store, clock, bus, contacts, start, wake }: ExecutionDeps) {
  async function getExecution(db: Db, workflowId: string, id: string): Promise<ShownExecution> {
    const found = await findExecution(db, workflowId, id)
    if (found === undefined) throw notFound("Execution", id)
    return found
  }

  return {
    /**
     * Starts a workflow by hand, whatever its trigger. @throws {DomainError} 400 when it is disabled, 409 when the
     * contact may not enter again
     */
    start: (projectId: string, workflowId: string, contactId: string, context: JsonObject): Promise<ShownExecution> =>
      store.write(projectId, async (unit) => {
        const workflow = await getWorkflow(unit.db, projectId, workflowId)
        const contact = await contacts.find(unit.db, projectId, contactId)
        if (contact === undefined) throw notFound("Contact", contactId)
        if (!workflow.enabled) throw malformed("The workflow is disabled.", { suggestion: "Enable it first." })
        const execution = await start(unit, { workflow, contactId, context, eventId: null })
        if (execution === undefined)
          throw conflict(
            workflow.allowReentry
              ? "The contact is in this workflow."
              : "The contact was in this workflow before, and it allows no re-entry.",
            { contactId },
          )
        unit.afterCommit(wake)
        return getExecution(unit.db, workflowId, execution.id)
      }),

    async list(projectId: string, workflowId: string, filter: ExecutionFilter, paging: Paging) {
      return listExecutions(store, await getWorkflow(store.read, projectId, workflowId), filter, paging)
    },

    /** The latest executions of a contact, in all workflows. */
    async ofContact(projectId: string, contactId: string): Promise<ContactExecution[]> {
      if ((await contacts.find(store.read, projectId, contactId)) === undefined) throw notFound("Contact", contactId)
      return listOfContact(store.read, projectId, contactId, shownOfContact)
    },

    flow: createFlow({ store, clock }),

    async get(projectId: string, workflowId: string, id: string): Promise<WholeExecution> {
      const { name } = await getWorkflow(store.read, projectId, workflowId)
      const shown = await getExecution(store.read, workflowId, id)
      return { ...shown, workflow: { id: workflowId, name }, steps: await listStepExecutions(store.read, id) }
    },

    /** @throws {DomainError} 409 for one that has ended */
    cancel: (projectId: string, workflowId: string, id: string): Promise<ShownExecution> =>
      store.write(projectId, async (unit) => {
        await getWorkflow(unit.db, projectId, workflowId)
        const { execution } = await getExecution(unit.db, workflowId, id)
        const [cancelled] = await cancelExecutions(bus, unit, [id], "cancelled")
        if (cancelled === undefined) throw conflict(`The execution has ended: it is ${execution.status}.`)
        return getExecution(unit.db, workflowId, id)
      }),

    /** Cancels every active execution, in slices; resolves to their number. */
    async cancelAll(projectId: string, workflowId: string): Promise<number> {
      await getWorkflow(store.read, projectId, workflowId)
      const { rows } = await inSlices(
        store,
        projectId,
        (unit, limit) => cancelSome(bus, unit, { workflowId }, "cancelled", limit),
        { size: cancelSlice },
      )
      return rows
    },
  }
}

export type ExecutionActions = ReturnType<typeof createExecutionActions>

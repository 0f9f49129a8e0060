import type { Db } from "../../../store/database.ts"
import type { Emails } from "../../emails/index.ts"
import type { Templates } from "../../templates/index.ts"
import type { Execution } from "../table.ts"
import type { Graphs } from "./graphs.ts"
import { findWorkflowById } from "./store.ts"

export interface WarmDeps {
  readonly graphs: Graphs
  readonly templates: Pick<Templates, "find">
  readonly emails: Pick<Emails, "warmTemplate">
}

/** Compiles the templates that executions may send, before the unit that moves them. */
export const createWarmUp =
  ({ graphs, templates, emails }: WarmDeps) =>
  async (db: Db, executions: readonly Pick<Execution, "workflowId" | "projectId">[]): Promise<void> => {
    const projects = new Map(executions.map(({ workflowId, projectId }) => [workflowId, projectId]))
    for (const [workflowId, projectId] of projects) {
      const workflow = await findWorkflowById(db, workflowId)
      if (workflow === undefined) continue
      const { templateIds } = await graphs(db, workflow)
      for (const id of templateIds) {
        const template = await templates.find(db, projectId, id)
        if (template) await emails.warmTemplate(template)
      }
    }
  }

export type WarmUp = ReturnType<typeof createWarmUp>

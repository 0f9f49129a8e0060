import type { Engine } from "../../../engine.ts"
import { reasonOf } from "../../../kernel/log.ts"
import type { Db } from "../../../store/database.ts"
import { isUnavailable } from "../../../store/writer.ts"
import type { Emails } from "../../emails/index.ts"
import type { Templates } from "../../templates/index.ts"
import type { Execution } from "../table.ts"
import { committed, type Graphs } from "./graphs.ts"
import { findWorkflowById } from "./store.ts"

interface WarmDeps extends Pick<Engine, "log"> {
  readonly graphs: Graphs
  readonly templates: Pick<Templates, "find">
  readonly emails: Pick<Emails, "warmTemplate">
}

/** Compiles templates before a unit that may send them, because a unit cannot wait for a thread. */
export async function warmTemplates(
  db: Db,
  projectId: string,
  templateIds: readonly string[],
  { templates, emails }: Pick<WarmDeps, "templates" | "emails">,
): Promise<void> {
  for (const id of templateIds) {
    const template = await templates.find(db, projectId, id)
    if (template) await emails.warmTemplate(template)
  }
}

/**
 * Compiles the templates that executions may send, before the unit that moves them, and resolves to the workflows for which it
 * failed: a project that has too many long templates to compile is refused, and must hold up no other.
 */
export function createWarmUp({ log, graphs, templates, emails }: WarmDeps) {
  async function warm(db: Db, workflowId: string, projectId: string): Promise<void> {
    const workflow = await findWorkflowById(db, workflowId)
    if (workflow === undefined) return
    await warmTemplates(db, projectId, (await graphs(committed(db), workflow)).templateIds, { templates, emails })
  }

  return async (
    db: Db,
    executions: readonly Pick<Execution, "workflowId" | "projectId">[],
  ): Promise<ReadonlySet<string>> => {
    const projects = new Map(executions.map(({ workflowId, projectId }) => [workflowId, projectId]))
    const failed = new Set<string>()
    for (const [workflowId, projectId] of projects)
      await warm(db, workflowId, projectId).catch((cause) => {
        if (isUnavailable(cause)) throw cause
        log.warn("Templates of a workflow could not be compiled, which is tried again later", {
          workflow: workflowId,
          reason: reasonOf(cause),
        })
        failed.add(workflowId)
      })
    return failed
  }
}

export type WarmUp = ReturnType<typeof createWarmUp>

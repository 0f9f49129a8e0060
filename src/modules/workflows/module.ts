import { eq } from "drizzle-orm"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Protect } from "../../http/protect.ts"
import type { Module } from "../../module.ts"
import type { Templates } from "../templates/index.ts"
import { createWorkflowActions } from "./actions.ts"
import { createGraphActions } from "./graph-actions.ts"
import { graphRoutes } from "./graph-routes.ts"
import { workflowReferences } from "./references.ts"
import { workflowRoutes } from "./routes.ts"
import { workflowTable } from "./table.ts"

export interface WorkflowDeps {
  readonly templates: Pick<Templates, "get">
}

/** Workflows: graphs of steps that an event starts for a contact. */
export function createWorkflows(engine: Pick<Engine, "store" | "ids">, deps: WorkflowDeps) {
  const actions = { ...createWorkflowActions(engine), graph: createGraphActions(engine, deps) }
  return {
    name: "workflows",
    actions,
    routes: (protect: Protect) =>
      new Elysia().use(workflowRoutes(actions, protect)).use(graphRoutes(actions.graph, protect)),
    references: workflowReferences,
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(workflowTable).where(eq(workflowTable.projectId, projectId))
    },
  } satisfies Module
}

export type Workflows = ReturnType<typeof createWorkflows>["actions"]

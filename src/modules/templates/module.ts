import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createTemplateActions, type TemplateDeps } from "./actions.ts"
import { templateRoutes } from "./routes.ts"
import { templateTable } from "./table.ts"

/** Templates: content that is written once and sent often. */
export function createTemplates(engine: Pick<Engine, "store" | "ids" | "references">, deps: TemplateDeps) {
  const actions = createTemplateActions(engine, deps)
  return {
    name: "templates",
    actions,
    routes: (protect) => templateRoutes(actions, protect),
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(templateTable).where(eq(templateTable.projectId, projectId))
    },
  } satisfies Module
}

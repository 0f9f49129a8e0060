import { eq } from "drizzle-orm"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createActivityActions } from "./actions.ts"
import { liveRoutes } from "./live-routes.ts"
import { activityRoutes } from "./routes.ts"
import { activityTallyTable } from "./table.ts"

/** What happened, in one feed over the records of all modules. */
export function createActivity(engine: Pick<Engine, "store" | "clock" | "bus">) {
  const actions = createActivityActions(engine)
  return {
    name: "activity",
    actions,
    routes: (protect) => new Elysia().use(activityRoutes(actions, protect)).use(liveRoutes(engine, protect)),
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(activityTallyTable).where(eq(activityTallyTable.projectId, projectId))
    },
  } satisfies Module
}

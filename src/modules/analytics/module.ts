import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { Projects } from "../projects/index.ts"
import { type AnalyticsDeps, createAnalyticsActions } from "./actions.ts"
import { createRebuild } from "./rebuild.ts"
import { analyticsRoutes } from "./routes.ts"
import { domainDayTable, eventDayTable } from "./table.ts"

interface AnalyticsModuleDeps extends AnalyticsDeps {
  readonly projects: Pick<Projects, "list">
}

/** Figures over days: of mails, campaigns, events and recipient domains. */
export function createAnalytics(engine: Pick<Engine, "store" | "clock">, deps: AnalyticsModuleDeps) {
  const actions = { ...createAnalyticsActions(engine, deps), rebuild: createRebuild(engine, deps) }
  return {
    name: "analytics",
    actions,
    routes: (protect) => analyticsRoutes(actions, protect),
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(eventDayTable).where(eq(eventDayTable.projectId, projectId))
      await unit.db.delete(domainDayTable).where(eq(domainDayTable.projectId, projectId))
    },
  } satisfies Module
}

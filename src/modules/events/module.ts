import { eq } from "drizzle-orm"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { deleteSome, deleteSurplus } from "../../store/delete-some.ts"
import type { Audit } from "../audit/index.ts"
import { createEventActions, type EventDeps } from "./actions.ts"
import { createEventDrops } from "./drop.ts"
import { eventRoutes } from "./routes.ts"
import { eventTable } from "./table.ts"
import { trackRoutes } from "./track-routes.ts"

interface EventModuleDeps extends EventDeps {
  readonly audit: Pick<Audit, "record">
}

/** Events: a permanent record of the actions of contacts and of the service. */
export function createEvents(
  engine: Pick<Engine, "store" | "ids" | "jobs" | "references">,
  { audit, ...deps }: EventModuleDeps,
) {
  const { handlers, drop } = createEventDrops(engine, { audit })
  const actions = createEventActions(engine, { ...deps, drop })
  return {
    name: "events",
    actions,
    routes: (protect) => new Elysia().use(trackRoutes(actions, protect)).use(eventRoutes(actions, protect)),
    handlers,
    /** Triggers update the tally. */
    eraseSome: (unit, projectId, limit) => deleteSome(unit, eventTable, projectId, limit),
    eraseSomeOf: (unit, contactIds, limit) => deleteSurplus(unit, eventTable, contactIds, limit),
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(eventTable).where(eq(eventTable.projectId, projectId))
    },
  } satisfies Module
}

import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { Contacts } from "../contacts/index.ts"
import { createBulkActions } from "./actions.ts"
import { createBulkJobs } from "./jobs.ts"
import { bulkRoutes } from "./routes.ts"
import { bulkJobs } from "./store.ts"

export interface BulkDeps {
  readonly contacts: Contacts
}

/** One operation on many contacts: the request, the job that does it, and its report. */
export function createBulk(engine: Pick<Engine, "store" | "ids" | "jobs" | "log">, { contacts }: BulkDeps) {
  const actions = createBulkActions(engine)
  return {
    name: "bulk",
    actions,
    routes: (protect) => bulkRoutes(actions, protect),
    ...createBulkJobs(engine, contacts),
    erase: async (unit, projectId) => void (await bulkJobs.erase(unit, projectId)),
  } satisfies Module
}

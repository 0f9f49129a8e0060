import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { Audit } from "../audit/index.ts"
import type { Contacts } from "../contacts/index.ts"
import { createBulkActions } from "./actions.ts"
import { createBulkJobs } from "./jobs.ts"
import { bulkRoutes } from "./routes.ts"
import { bulkJobs } from "./store.ts"

interface BulkDeps {
  readonly contacts: Contacts
  readonly audit: Pick<Audit, "record">
}

/** One operation on many contacts: the request, the job that does it, and its report. */
export function createBulk(engine: Pick<Engine, "store" | "ids" | "jobs" | "log">, { contacts, audit }: BulkDeps) {
  const actions = createBulkActions(engine, { audit })
  return {
    name: "bulk",
    actions,
    routes: (protect) => bulkRoutes(actions, protect),
    ...createBulkJobs(engine, contacts),
    erase: async (unit, projectId) => void (await bulkJobs.erase(unit, projectId)),
  } satisfies Module
}

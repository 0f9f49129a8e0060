import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createReputationActions, type ReputationDeps } from "./actions.ts"
import { createReputationJobs } from "./jobs.ts"
import { reputationRoutes } from "./routes.ts"

/** The reputation of projects: bounces and complaints, and whether they are too many. */
export function createReputation(engine: Pick<Engine, "store" | "clock" | "config" | "jobs">, deps: ReputationDeps) {
  const actions = createReputationActions(engine, deps)
  return {
    name: "reputation",
    actions,
    routes: (protect) => reputationRoutes(actions, protect),
    ...createReputationJobs(engine, actions),
  } satisfies Module
}

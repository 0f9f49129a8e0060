import type { Module } from "../../module.ts"
import { createProjectActions } from "./actions.ts"
import type { DeletionDeps } from "./deletion.ts"

/** Projects, the tenants of the instance, and their API keys. */
export function createProjects(engine: Parameters<typeof createProjectActions>[0], deps: DeletionDeps) {
  const actions = createProjectActions(engine, deps)
  return { name: "projects", actions, handlers: actions.deletion.handlers } satisfies Module
}

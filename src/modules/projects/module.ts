import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createProjectActions, projectChanged } from "./actions.ts"

/** Projects, the tenants of the instance, and their API keys. */
export function createProjects(engine: Pick<Engine, "store" | "ids" | "secret" | "bus">) {
  const actions = createProjectActions(engine)
  return {
    name: "projects",
    actions,
    // A command beside the server changes projects too.
    subscribers: [{ name: "projects.cache", on: [projectChanged], handle: async () => actions.forget() }],
  } satisfies Module
}

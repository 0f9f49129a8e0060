import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createProjectActions } from "./actions.ts"
import type { SettingsDeps } from "./settings.ts"

/** Projects, the tenants of the instance, and their API keys. */
export const createProjects = (
  engine: Pick<Engine, "store" | "ids" | "secret" | "bus" | "config">,
  deps: SettingsDeps,
) => ({ name: "projects", actions: createProjectActions(engine, deps) }) satisfies Module

import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createAudit } from "./audit.ts"

/** What was done that matters for safety, and by whom. */
export const createAuditModule = (engine: Pick<Engine, "store" | "ids">) =>
  ({ name: "audit", actions: createAudit(engine) }) satisfies Module

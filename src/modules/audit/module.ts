import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createAudit } from "./audit.ts"
import { auditRoutes } from "./routes.ts"

/** The audit log: security-relevant actions and who performed them. */
export function createAuditModule(engine: Pick<Engine, "store" | "ids">) {
  const actions = createAudit(engine)
  return { name: "audit", actions, routes: (protect) => auditRoutes(actions, protect) } satisfies Module
}

import type { Engine } from "../../engine.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import type { Module } from "../../module.ts"
import type { Unit } from "../../store/writer.ts"
import { createHousekeeping } from "./housekeeping.ts"
import { type InstanceInfo, instanceRoutes } from "./routes.ts"

export interface InstanceDeps extends InstanceInfo {
  readonly idempotency: Pick<Idempotency, "prune" | "erase">
}

/** The instance itself: whether it is well, what it can do, and the cleaning up of what nobody can ask for any more. */
export const createInstance = (
  engine: Pick<Engine, "store" | "clock" | "config" | "bus" | "jobs">,
  { idempotency, ...info }: InstanceDeps,
) =>
  ({
    name: "instance",
    actions: {},
    routes: () => instanceRoutes(engine, info),
    /** What belongs to no module: waiting jobs and idempotency keys. */
    async erase(unit: Unit, projectId: string): Promise<void> {
      await engine.jobs.erase(unit, projectId)
      await idempotency.erase(unit, projectId)
    },
    ...createHousekeeping({ ...engine, idempotency }),
  }) satisfies Module

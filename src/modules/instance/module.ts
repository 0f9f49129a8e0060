import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createHousekeeping, type HousekeepingDeps } from "./housekeeping.ts"
import { type InstanceInfo, instanceRoutes } from "./routes.ts"

export interface InstanceDeps extends InstanceInfo, Pick<HousekeepingDeps, "idempotency"> {}

/** The instance itself: whether it is well, what it can do, and the cleaning up of what nobody can ask for any more. */
export const createInstance = (
  engine: Pick<Engine, "store" | "clock" | "config" | "bus" | "jobs">,
  { idempotency, ...info }: InstanceDeps,
) =>
  ({
    name: "instance",
    actions: {},
    routes: () => instanceRoutes(engine, info),
    ...createHousekeeping({ ...engine, idempotency }),
  }) satisfies Module

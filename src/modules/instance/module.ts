import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import type { Protect } from "../../http/protect.ts"
import type { TransportMember } from "../../mail/transports.ts"
import type { Module } from "../../module.ts"
import { type Machine, machineOf } from "../../store/machine.ts"
import type { Unit } from "../../store/writer.ts"
import { createAlertStates } from "./alert-states.ts"
import { createHousekeeping, type HousekeepingDeps } from "./housekeeping.ts"
import type { Memory } from "./memory.ts"
import { type OwnerDeps, ownerRoutes } from "./owner-routes.ts"
import { type InstanceInfo, instanceRoutes } from "./routes.ts"
import { createStoreWatch } from "./store-watch.ts"
import { transportRoutes } from "./transport-routes.ts"

interface InstanceDeps extends InstanceInfo, Omit<OwnerDeps, "accounts"> {
  readonly accounts: OwnerDeps["accounts"] & HousekeepingDeps["accounts"]
  readonly audit: HousekeepingDeps["audit"]
  /** Every transport, with what it did in the last hour. */
  readonly transports: readonly TransportMember[]
  readonly machine?: Machine | undefined
  readonly memory?: Memory | undefined
  readonly idempotency: Pick<Idempotency, "prune" | "erase">
}

/** The instance itself: its health, its features, and the deletion of data that is no longer needed. */
export const createInstance = (
  engine: Pick<Engine, "store" | "clock" | "realClock" | "log" | "config" | "bus" | "jobs">,
  { idempotency, transports, machine = machineOf(engine.config.data), memory, ...info }: InstanceDeps,
) =>
  ({
    name: "instance",
    actions: {},
    routes: (protect: Protect) =>
      new Elysia()
        .use(instanceRoutes(engine, info))
        .use(ownerRoutes(engine.config, info, protect))
        .use(transportRoutes(transports, protect)),
    /** Erases the rows that belong to no module: waiting jobs and idempotency keys. */
    async erase(unit: Unit, projectId: string): Promise<void> {
      await engine.jobs.erase(unit, projectId)
      await idempotency.erase(unit, projectId)
    },
    alertStates: createAlertStates(engine, { transports, machine }),
    worker: createStoreWatch(engine, memory),
    sweeps: createHousekeeping({ ...engine, ...info, idempotency }),
  }) satisfies Module

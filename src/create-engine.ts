import { createBus } from "./bus/bus.ts"
import type { Config } from "./config.ts"
import type { Engine } from "./engine.ts"
import { createJobs } from "./jobs/jobs.ts"
import { uuids } from "./kernel/ids.ts"
import { findSealed } from "./modules/projects/index.ts"
import { createReferences } from "./references.ts"
import { openSecret } from "./store/secret.ts"
import type { Store } from "./store/store.ts"

export type EngineParts = Partial<Pick<Engine, "ids" | "random">> &
  Pick<Engine, "clock" | "realClock" | "log" | "metrics" | "tracer">

/** The platform of the modules on an open store. Rejects when the secret of the folder is not that of the database. */
export async function createEngine(config: Config, store: Store, parts: EngineParts): Promise<Engine> {
  const { clock, realClock, log, metrics, tracer, ids = uuids(clock), random = Math.random } = parts
  return {
    clock,
    realClock,
    ids,
    random,
    log,
    metrics,
    tracer,
    config,
    store,
    secret: openSecret(config.data, await findSealed(store.read)),
    bus: createBus({ store, clock, log }),
    jobs: createJobs({ store, clock, ids, log, random }),
    references: createReferences(),
  }
}

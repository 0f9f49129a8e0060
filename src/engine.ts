import type { Bus } from "./bus/bus.ts"
import type { Config } from "./config.ts"
import type { Jobs } from "./jobs/jobs.ts"
import type { Clock } from "./kernel/clock.ts"
import type { Ids } from "./kernel/ids.ts"
import type { Log } from "./kernel/log.ts"
import type { Metrics } from "./kernel/metrics.ts"
import type { Tracer } from "./kernel/tracer.ts"
import type { References } from "./references.ts"
import type { Secret } from "./store/secret.ts"
import type { Store } from "./store/store.ts"

/** The platform of the modules. A module names the parts it needs: `Pick<Engine, "store" | "ids">`. */
export interface Engine {
  /**
   * The time of everything that is stored, shown, or compared with what is stored. In a sandbox it may stand still: its
   * `sleep` always takes real time.
   */
  readonly clock: Clock
  /** For limits per second, timeouts, and what other machines say of the time. */
  readonly realClock: Clock
  readonly ids: Ids
  /** A number in [0, 1). */
  readonly random: () => number
  readonly log: Log
  /** The figures of this process (contract A8.4). */
  readonly metrics: Metrics
  /** Undefined when nobody takes spans. */
  readonly tracer: Tracer | undefined
  readonly config: Config
  readonly store: Store
  readonly secret: Secret
  readonly bus: Bus
  readonly jobs: Jobs
  readonly references: References
}

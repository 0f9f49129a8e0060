import { Type } from "@sinclair/typebox"
import type { Bus } from "../../bus/bus.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../jobs/define.ts"
import type { Jobs } from "../../jobs/jobs.ts"

const sweep = defineJob("instance.sweep", Type.Object({}))

export interface HousekeepingDeps {
  readonly bus: Pick<Bus, "prune">
  readonly jobs: Pick<Jobs, "prune">
  readonly idempotency: Pick<Idempotency, "prune">
}

/** Deletes what is no longer needed: handled signals, old jobs, expired idempotency keys. */
export function createHousekeeping({ bus, jobs, idempotency }: HousekeepingDeps): {
  handlers: JobHandler[]
  recurring: Recurring[]
} {
  return {
    handlers: [
      handles(sweep, async () => {
        await bus.prune()
        await jobs.prune()
        await idempotency.prune()
        return done
      }),
    ],
    recurring: [{ kind: sweep, every: "*/10 * * * *" }],
  }
}

import { Type } from "@sinclair/typebox"
import type { Bus } from "../../bus/bus.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../jobs/define.ts"
import type { Jobs } from "../../jobs/jobs.ts"

const sweep = defineJob("instance.sweep", Type.Object({}))

/** Throws away what nobody can ask for any more: handled signals, old jobs, expired idempotency keys. */
export function housekeeping(parts: { bus: Bus; jobs: Jobs; idempotency: Idempotency }): {
  handlers: JobHandler[]
  recurring: Recurring[]
} {
  return {
    handlers: [
      handles(sweep, async () => {
        await parts.bus.prune()
        await parts.jobs.prune()
        await parts.idempotency.prune()
        return done
      }),
    ],
    recurring: [{ name: "instance.sweep", every: "*/10 * * * *", kind: sweep, payload: {} }],
  }
}

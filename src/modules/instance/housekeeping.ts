import { Type } from "@sinclair/typebox"
import type { Bus } from "../../bus/bus.ts"
import type { Engine } from "../../engine.ts"
import type { Idempotency } from "../../http/idempotency.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../jobs/define.ts"
import type { Jobs } from "../../jobs/jobs.ts"
import { inSlices } from "../../store/slices.ts"
import type { Accounts } from "../accounts/index.ts"
import type { Audit } from "../audit/index.ts"

const sweep = defineJob("instance.sweep", Type.Object({}))

export interface HousekeepingDeps {
  readonly bus: Pick<Bus, "prune">
  readonly jobs: Pick<Jobs, "prune">
  readonly idempotency: Pick<Idempotency, "prune">
  readonly accounts: Pick<Accounts, "prune">
  readonly audit: Pick<Audit, "dropOld">
}

/** Deletes what is no longer needed: handled signals, old jobs, expired rows, and audit rows older than a year. */
export function createHousekeeping({
  store,
  bus,
  jobs,
  idempotency,
  accounts,
  audit,
}: HousekeepingDeps & Pick<Engine, "store">): {
  handlers: JobHandler[]
  recurring: Recurring[]
} {
  return {
    handlers: [
      handles(sweep, async () => {
        await bus.prune()
        await jobs.prune()
        await idempotency.prune()
        await accounts.prune()
        await inSlices(store, "instance", audit.dropOld)
        return done
      }),
    ],
    recurring: [{ kind: sweep, every: "*/10 * * * *" }],
  }
}

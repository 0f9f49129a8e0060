import type { Engine } from "../../engine.ts"
import type { Recurring } from "../../jobs/define.ts"
import { createTrackedHandlers, defineSweepJob, defineTrackedJob } from "../../jobs/tracked/run.ts"
import type { Contacts } from "../contacts/index.ts"
import { createApply } from "./apply.ts"
import { countSelected, type Slice, slicesOf } from "./slices.ts"
import { bulkJobs, finishBulk, getSelection } from "./store.ts"
import type { BulkJob } from "./table.ts"

export const bulkRun = defineTrackedJob("bulk.run")
const bulkSweep = defineSweepJob("bulk.sweep")

/** Applies one operation to all contacts of a selection. */
export function createBulkJobs({ store, log }: Pick<Engine, "store" | "log">, contacts: Contacts) {
  const handlers = createTrackedHandlers<BulkJob, Slice>({
    store,
    log,
    run: bulkRun,
    sweep: bulkSweep,
    jobs: bulkJobs,
    measure: async (job) => ({ total: await countSelected(store, job, await getSelection(store.read, job.id)) }),
    async *slices(job) {
      yield* slicesOf(store, job, await getSelection(store.read, job.id))
    },
    apply: createApply(store, contacts),
    finish: (unit, jobId, fault) => finishBulk(unit, jobId, fault === undefined ? "completed" : "failed"),
  })
  const recurring: Recurring[] = [{ kind: bulkSweep, every: "24 * * * *" }]
  return { handlers, recurring }
}

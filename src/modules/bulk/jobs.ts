import type { Engine } from "../../engine.ts"
import { createTrackedJobs, defineTracked } from "../../jobs/tracked/run.ts"
import type { Contacts } from "../contacts/index.ts"
import { createApply } from "./apply.ts"
import { createOperations } from "./operations.ts"
import { countSelected, type Slice, slicesOf } from "./slices.ts"
import { bulkJobs, finishBulk, getSelection } from "./store.ts"
import type { BulkJob } from "./table.ts"

export const bulkKinds = defineTracked("bulk")

/** Applies one operation to all contacts of a selection. */
export const createBulkJobs = ({ store, log }: Pick<Engine, "store" | "log">, contacts: Contacts) =>
  createTrackedJobs<BulkJob, Slice>({
    store,
    log,
    kinds: bulkKinds,
    jobs: bulkJobs,
    sweepAt: "24 * * * *",
    measure: async (job) => ({ total: await countSelected(store.read, job, await getSelection(store.read, job.id)) }),
    async *slices(job) {
      yield* slicesOf(store.read, job, await getSelection(store.read, job.id))
    },
    apply: createApply(store, createOperations(contacts)),
    finish: (unit, jobId, fault) => finishBulk(unit, jobId, fault === undefined ? "completed" : "failed"),
  })

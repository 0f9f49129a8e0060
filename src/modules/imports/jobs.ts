import type { Engine } from "../../engine.ts"
import type { Recurring } from "../../jobs/define.ts"
import { createTrackedHandlers, defineSweepJob, defineTrackedJob } from "../../jobs/tracked/run.ts"
import type { Contacts } from "../contacts/index.ts"
import { createApply } from "./apply.ts"
import type { ImportRow } from "./columns.ts"
import { FileFault } from "./fault.ts"
import { countRows, slicesOf } from "./slices.ts"
import { importJobs } from "./store.ts"
import type { ImportJob } from "./table.ts"
import type { Uploads } from "./uploads.ts"

export const importRun = defineTrackedJob("import.run")
const importSweep = defineSweepJob("import.sweep")

interface ImportJobDeps {
  readonly contacts: Contacts
  readonly uploads: Uploads
}

/**
 * Imports a file in two passes: the first finds faults of the file as a whole before any contact is changed, the second
 * merges its rows.
 */
export const createImportJobs = (
  { store, log }: Pick<Engine, "store" | "log">,
  { contacts, uploads }: ImportJobDeps,
) => {
  async function* read(id: string): AsyncGenerator<Uint8Array> {
    if (!(await uploads.has(id))) throw new FileFault("The file is no longer there. Upload it again.")
    yield* uploads.read(id)
  }

  const handlers = createTrackedHandlers<ImportJob, ImportRow[]>({
    store,
    log,
    run: importRun,
    sweep: importSweep,
    jobs: importJobs,
    measure: async ({ id }) => ({ totalRows: await countRows(read(id)) }),
    async *slices(job) {
      for await (const rows of slicesOf(read(job.id), job))
        yield* contacts.mergeUnits(job.projectId, rows, ({ address }) => address)
    },
    apply: createApply(store, contacts),
    finish: (unit, jobId, fault) =>
      fault === undefined
        ? importJobs.finish(unit, jobId, "completed")
        : importJobs.finish(unit, jobId, "failed", { failedReason: reasonFor(fault) }),
    cleanUp: uploads.remove,
  })
  const recurring: Recurring[] = [{ kind: importSweep, every: "23 * * * *" }]
  return { handlers, recurring }
}

const reasonFor = (fault: unknown): string =>
  fault instanceof FileFault ? fault.message : "Something went wrong on our side. The log tells what."

import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import { importRun } from "./jobs.ts"
import { importJobs, insertImport, listImportErrors } from "./store.ts"
import type { ImportError, ImportJob } from "./table.ts"
import type { Uploads } from "./uploads.ts"

export interface ImportReport extends ImportJob {
  readonly errors: readonly ImportError[]
}

export const createImportActions = (
  { store, ids, jobs }: Pick<Engine, "store" | "ids" | "jobs">,
  uploads: Uploads,
) => ({
  /** Queues the import of a file; when it resolves to the id of the job, file and job are on disk. */
  async start(projectId: string, csv: Uint8Array): Promise<string> {
    const id = ids.next()
    await uploads.save(id, csv)
    try {
      await store.write(projectId, async (unit) => {
        await insertImport(unit, projectId, id)
        await jobs.enqueue(unit, importRun, { projectId, jobId: id })
      })
    } catch (cause) {
      await uploads.remove(id)
      throw cause
    }
    return id
  },

  async get(projectId: string, id: string): Promise<ImportReport> {
    const job = await importJobs.find(store.read, projectId, id)
    if (job === undefined) throw notFound("Import", id)
    return { ...job, errors: await listImportErrors(store.read, id) }
  },
})

export type Imports = ReturnType<typeof createImportActions>

import { type Static, Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, type Outcome, snooze } from "../../../jobs/define.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { isUnavailable } from "../../../store/writer.ts"
import { maxVainRuns, queueLimits } from "../job-status.ts"
import type { ApplySlice } from "./apply.ts"
import { FileFault } from "./fault.ts"
import { countRows, readSlices } from "./slices.ts"
import { beginImport, finishImport, startImport } from "./store.ts"
import type { ImportJob } from "./table.ts"
import type { Uploads } from "./uploads.ts"

const payload = Type.Object({ projectId: Type.String(), importId: Type.String() })

/** Two at once, so that a small file need not wait for a large one. */
export const importContacts = defineJob("contacts.import", payload, { ...queueLimits, concurrency: 2 })

interface Parts extends Pick<Engine, "store" | "log"> {
  readonly uploads: Uploads
  readonly applySlice: ApplySlice
}

/**
 * Imports a file in two passes: the first finds what is wrong with the file as a whole before any contact is touched, the
 * second merges it slice by slice. Progress is stored with each slice, so a run that was cut off goes on where it stood.
 */
export function importRunner({ store, log, uploads, applySlice }: Parts) {
  /** Whether the end of the file was reached. */
  async function merge(found: ImportJob, signal: AbortSignal): Promise<boolean> {
    const { id } = found
    if (!(await uploads.has(id))) throw new FileFault("The file is no longer there. Upload it again.")
    if (found.status === "queued") {
      const totalRows = await countRows(uploads.read(id))
      await store.write(found.projectId, (unit) => startImport(unit, id, totalRows))
    }
    let job = found
    for await (const rows of readSlices(uploads.read(id), job)) {
      if (signal.aborted) return false
      job = await applySlice(job, rows)
      // Others have their turn: a slice takes some milliseconds, a file may take seconds.
      await yieldToEventLoop()
    }
    return true
  }

  return async ({ projectId, importId }: Static<typeof payload>, signal: AbortSignal): Promise<Outcome> => {
    const end = (status: "completed" | "failed", reason: string | null) =>
      store.write(projectId, (unit) => finishImport(unit, importId, status, reason))
    const job = await store.write(projectId, (unit) => beginImport(unit, projectId, importId))
    if (job !== undefined)
      try {
        if (job.vainRuns > maxVainRuns) throw new Error("It was interrupted too often.")
        if (!(await merge(job, signal))) return snooze(0)
        await end("completed", null)
      } catch (cause) {
        if (isUnavailable(cause)) throw cause
        const isFaulty = cause instanceof FileFault
        if (!isFaulty) log.error("An import failed", { importId, reason: reasonOf(cause) })
        await end("failed", isFaulty ? cause.message : "Something went wrong on our side. The log tells what.")
      }
    await uploads.remove(importId)
    return done
  }
}

import { type Static, Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, type Outcome, snooze } from "../../../jobs/define.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { isUnavailable } from "../../../store/writer.ts"
import { maxVainRuns, queueLimits } from "../job-status.ts"
import type { ApplySlice } from "./apply.ts"
import { countSelected, matcherOf, slicesOf } from "./slices.ts"
import { beginBulk, finishBulk, getSelection, startBulk } from "./store.ts"
import type { BulkJob } from "./table.ts"

const payload = Type.Object({ projectId: Type.String(), bulkId: Type.String() })

/** Two at once, so that a few contacts need not wait for a great many. */
export const changeContacts = defineJob("contacts.bulk", payload, { ...queueLimits, concurrency: 2 })

interface Parts extends Pick<Engine, "store" | "log"> {
  readonly applySlice: ApplySlice
}

/** Goes through the selection slice by slice. Progress is stored with each, so a run that was cut off goes on from there. */
export function bulkRunner({ store, log, applySlice }: Parts) {
  /** Whether the end of the selection was reached. */
  async function change(found: BulkJob, signal: AbortSignal): Promise<boolean> {
    const selection = await getSelection(store.read, found.id)
    const isMeant = matcherOf(found, selection)
    if (found.status === "queued") {
      const total = await countSelected(store.read, found, selection, isMeant)
      await store.write(found.projectId, (unit) => startBulk(unit, found.id, total))
    }
    let job = found
    for await (const slice of slicesOf(store.read, job, selection, isMeant)) {
      if (signal.aborted) return false
      job = await applySlice(job, selection.mode, isMeant, slice)
      // Others have their turn.
      await yieldToEventLoop()
    }
    return true
  }

  return async ({ projectId, bulkId }: Static<typeof payload>, signal: AbortSignal): Promise<Outcome> => {
    const job = await store.write(projectId, (unit) => beginBulk(unit, projectId, bulkId))
    if (job === undefined) return done
    try {
      if (job.vainRuns > maxVainRuns) throw new Error("It was interrupted too often.")
      if (!(await change(job, signal))) return snooze(0)
      await store.write(projectId, (unit) => finishBulk(unit, bulkId, "completed"))
    } catch (cause) {
      if (isUnavailable(cause)) throw cause
      log.error("A bulk job failed", { bulkId, reason: reasonOf(cause) })
      await store.write(projectId, (unit) => finishBulk(unit, bulkId, "failed"))
    }
    return done
  }
}

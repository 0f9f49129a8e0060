import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../../jobs/define.ts"
import { day } from "../../../kernel/clock.ts"
import { inSlices } from "../../../store/slices.ts"
import { importActions } from "./actions.ts"
import { type ApplyParts, sliceApplier } from "./apply.ts"
import { importContacts, importRunner } from "./job.ts"
import { dropFinishedImports, listUnfinished } from "./store.ts"
import { openUploads } from "./uploads.ts"

export { importRoutes } from "./routes.ts"

const sweep = defineJob("contacts.sweep-imports", Type.Object({}))
/** How long a finished import can be read (contract A5.15.3). */
const readableMs = 30 * day

/** Contacts out of CSV files: the upload, the job that merges it, and what can be read of it afterwards. */
export function contactImports(
  engine: Pick<Engine, "store" | "ids" | "jobs" | "log" | "bus">,
  { noteCreated }: Pick<ApplyParts, "noteCreated">,
) {
  const { store } = engine
  const uploads = openUploads(store.folder)
  const handlers: JobHandler[] = [
    handles(importContacts, importRunner({ ...engine, uploads, applySlice: sliceApplier({ ...engine, noteCreated }) })),
    handles(sweep, async () => {
      await inSlices(store, "instance", (unit, limit) => dropFinishedImports(unit, unit.now - readableMs, limit), {
        size: 20,
      })
      return done
    }),
  ]
  const recurring: Recurring[] = [{ name: "contacts.sweep-imports", every: "23 * * * *", kind: sweep, payload: {} }]
  return {
    ...importActions(engine, uploads),
    handlers,
    recurring,
    /** Throws away files that no import wants. Called once, before the first request. */
    open: async () => uploads.removeAllBut(await listUnfinished(store.read)),
  }
}

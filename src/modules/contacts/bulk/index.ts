import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../../jobs/define.ts"
import { day } from "../../../kernel/clock.ts"
import { inSlices } from "../../../store/slices.ts"
import { bulkActions } from "./actions.ts"
import { sliceApplier } from "./apply.ts"
import { bulkRunner, changeContacts } from "./job.ts"
import { operationsOf, type Verbs } from "./operations.ts"
import { dropFinishedBulk } from "./store.ts"

export { bulkRoutes } from "./routes.ts"

const sweep = defineJob("contacts.sweep-bulk", Type.Object({}))
/** How long a finished job can be read, like an import (contract A5.15.3). */
const readableMs = 30 * day

/** One operation on many contacts: the request, the job that does it, and what can be read of it afterwards. */
export function contactBulk(engine: Pick<Engine, "store" | "ids" | "jobs" | "log">, contacts: Verbs) {
  const { store } = engine
  const handlers: JobHandler[] = [
    handles(changeContacts, bulkRunner({ ...engine, applySlice: sliceApplier(engine, operationsOf(contacts)) })),
    handles(sweep, async () => {
      await inSlices(store, "instance", (unit, limit) => dropFinishedBulk(unit, unit.now - readableMs, limit), {
        size: 20,
      })
      return done
    }),
  ]
  const recurring: Recurring[] = [{ name: "contacts.sweep-bulk", every: "24 * * * *", kind: sweep, payload: {} }]
  return { ...bulkActions(engine), handlers, recurring }
}

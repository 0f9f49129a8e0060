import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../jobs/define.ts"
import { day } from "../../kernel/clock.ts"
import { inSlices } from "../../store/slices.ts"
import { deleteOldReports } from "./store.ts"

const sweepReports = defineJob("report.sweep", Type.Object({}))

/** Longer than any provider repeats a report; that SNS signed one is believed for an hour only. */
const keptMs = 30 * day

export function createReportJobs({ store }: Pick<Engine, "store">): { handlers: JobHandler[]; recurring: Recurring[] } {
  return {
    handlers: [
      handles(sweepReports, async () => {
        await inSlices(store, "instance", (unit, limit) => deleteOldReports(unit, unit.now - keptMs, limit))
        return done
      }),
    ],
    recurring: [{ kind: sweepReports, every: "41 3 * * *" }],
  }
}

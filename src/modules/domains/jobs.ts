import { Type } from "@sinclair/typebox"
import { defineJob, done, handles, type JobHandler, type Recurring, snooze } from "../../jobs/define.ts"
import type { Domains } from "./actions.ts"

const checkDomains = defineJob("domain.check", Type.Object({}))

/** Checks of all domains in the background (contract B6.7). */
export function createDomainJobs(
  domains: Domains,
  everyMs: number,
): { handlers: JobHandler[]; recurring: Recurring[] } {
  return {
    handlers: [
      handles(checkDomains, async (_, abort) => {
        await domains.checkAll(abort)
        return abort.aborted ? snooze(0) : done
      }),
    ],
    recurring: [{ kind: checkDomains, every: everyMs }],
  }
}

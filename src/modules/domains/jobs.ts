import { done, handles, type JobHandler, type Recurring, retry, snooze } from "../../jobs/define.ts"
import type { Domains } from "./actions.ts"
import { checkDomains, releaseDomain } from "./job-kinds.ts"

/** Checks of all domains in the background (contract B6.7), and the removal of deleted ones from the providers. */
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
      handles(releaseDomain, async ({ domain }) => {
        const failure = await domains.release(domain)
        return failure === undefined ? done : retry(failure)
      }),
    ],
    recurring: [{ kind: checkDomains, every: everyMs }],
  }
}

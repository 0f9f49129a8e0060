import type { Clock } from "../kernel/clock.ts"
import type { Store } from "./store.ts"

/** Does the work of a loop that polls the database, unless there can be none. */
export type Poll = (work: () => Promise<unknown>) => Promise<void>

/**
 * Runs the work if this or another process has committed anything since the last run began, or if `nextAt` has passed:
 * the time at which there is work without a commit, undefined when there is none. After a failure it runs again.
 */
export function createPoll(
  { store, clock }: { readonly store: Pick<Store, "changes">; readonly clock: Pick<Clock, "now"> },
  nextAt: () => Promise<number | undefined>,
): Poll {
  // In memory: a new process begins with a run. `nextAt` is only read once there was no work left, not after every run.
  let seen: number | undefined
  let dueAt: number | undefined
  return async (work) => {
    const changes = store.changes()
    if (changes === seen) {
      dueAt ??= (await nextAt()) ?? Number.POSITIVE_INFINITY
      if (clock.now() < dueAt) return
    }
    seen = undefined
    dueAt = undefined
    await work()
    seen = changes
  }
}

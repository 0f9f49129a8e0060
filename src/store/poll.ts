import type { Clock } from "../kernel/clock.ts"
import type { Store } from "./store.ts"

/** Does the work of a loop that looks at the database in turns, unless it can find nothing. */
export type Poll = (work: () => Promise<unknown>) => Promise<void>

/**
 * Work is done if anything was committed since it began the last time, by this process or another, or if `nextAt` has
 * come: the time at which there is something to do without a commit, undefined when there is none. After a failure it is
 * done again.
 */
export function createPoll(
  { store, clock }: { readonly store: Pick<Store, "changes">; readonly clock: Pick<Clock, "now"> },
  nextAt: () => Promise<number | undefined>,
): Poll {
  // Memory: a restart begins with work. The time is read once it is quiet, so not after each piece of work.
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

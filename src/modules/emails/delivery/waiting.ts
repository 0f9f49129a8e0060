import type { Clock } from "../../../kernel/clock.ts"
import { interleave } from "../../../kernel/interleave.ts"
import type { Store } from "../../../store/store.ts"
import { listDue, projectsWaiting } from "../ledger.ts"
import { type Lane, lanes } from "../rules.ts"
import type { Throttle } from "./throttle.ts"

/**
 * The messages of one lane that may be sent now, a few at a time, fair between projects. The ids are in memory and may
 * be stale: the claim decides whether a message is still waiting.
 */
export interface WaitingLane {
  readonly lane: Lane
  /** False when `next` would find nothing. */
  readonly mayHaveMail: boolean
  /** Up to `count` ids, which are counted by the limits of their projects. Empty when nothing may be sent now. */
  next(count: number): Promise<string[]>
  /**
   * Reports that new mail may be due, of one project or of any. Mail of a project whose rate limit is exhausted is only
   * found by the next call without a project: otherwise each accepted message would cause a search of all waiting mail.
   */
  wake(projectId?: string): void
}

/** A multiple of what is claimed in one unit, so that no claim is of a few messages that are left. */
const refillPerProject = 128
/**
 * Non-bulk mail that waits longer is delivered before more requests are accepted, unless it waits for the rate limit of
 * its project, which priority does not change.
 */
const lateMs = 500

export function createWaitingLane(
  lane: Lane,
  {
    store,
    clock,
    perProject,
    underWay,
  }: { store: Store; clock: Clock; perProject: Throttle; underWay: ReadonlySet<string> },
): WaitingLane {
  let buffer: string[] = []
  let mayHaveMore = true
  /** The projects whose rate limit was exhausted in the last round. */
  let limited: ReadonlySet<string> = new Set()

  /** One round over the projects with waiting mail: as many messages of each as its limit allows. */
  async function refill(): Promise<void> {
    mayHaveMore = false
    const shares: string[][] = []
    const nowLimited = new Set<string>()
    for (const projectId of await projectsWaiting(store.read, lane)) {
      const allowed = perProject.available(projectId, refillPerProject)
      if (allowed === 0) {
        nowLimited.add(projectId)
        continue
      }
      // Some claims may not be committed yet, so some of these messages may already be taken.
      const now = clock.now()
      const due = await listDue(store.read, lane, projectId, now, allowed + underWay.size)
      const free = due.filter(({ id }) => !underWay.has(id)).slice(0, allowed)
      const isLate = free[0] !== undefined && now - free[0].dueAt > lateMs
      if (lane !== lanes.bulk && isLate && !limited.has(projectId)) store.preferDelivery()
      if (free.length === allowed) {
        mayHaveMore = true
        if (allowed < refillPerProject) nowLimited.add(projectId)
      }
      perProject.take(projectId, free.length)
      shares.push(free.map(({ id }) => id))
    }
    limited = nowLimited
    buffer = interleave(shares)
  }

  return {
    lane,
    get mayHaveMail() {
      return buffer.length > 0 || mayHaveMore
    },
    async next(count) {
      if (buffer.length === 0 && mayHaveMore) await refill()
      return buffer.splice(0, count)
    },
    wake(projectId) {
      if (projectId === undefined || perProject.available(projectId, 1) > 0) mayHaveMore = true
    },
  }
}

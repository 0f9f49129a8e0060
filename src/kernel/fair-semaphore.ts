import { createFairQueue } from "./fair-queue.ts"

/** A limited number of permits. Whoever waits for one takes turns with the others, however often they wait. */
interface FairSemaphore {
  /** Resolves once a permit is acquired, which is released once. */
  acquire(who: string): Promise<void>
  release(): void
}

export function createFairSemaphore(permits: number): FairSemaphore {
  const waiting = createFairQueue<{ readonly who: string; grant(): void }>()
  let free = permits

  return {
    async acquire(who) {
      if (free === 0) return new Promise((grant) => waiting.add(who, { who, grant }))
      free--
    },
    release() {
      const next = waiting.begin()
      if (next === undefined) {
        free++
        return
      }
      // Several permits may be of one: only the order of the turns is that of the queue.
      waiting.end(next.who)
      next.grant()
    },
  }
}

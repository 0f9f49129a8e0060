import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { isWithin, minute } from "../../../kernel/clock.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { findProjectOf } from "./hit-store.ts"
import type { CountHit, NotedHit } from "./hits.ts"

export interface HitWriter {
  /**
   * Counts a hit, which is on disk and in the message when it resolves, unless a limit is exceeded or the store cannot be
   * written. Never rejects. `link` is the key of the link, null for an open.
   */
  save(emailId: string, link: string | null): Promise<void>
}

/** The most hits being written at a time; more are dropped, because the store is slower than they arrive. */
const maxUnderWay = 10_000
/** The most hits of one message in a minute: mail forwarded to a whole office has fewer, a request loop more. */
const maxPerMinute = 1_000
const watchedMessages = 10_000

/**
 * Counts hits in units of their own. Hits beyond the limits are answered but not counted. The limits protect this process,
 * so their counters are in memory.
 */
export function createHitWriter(
  { store, clock, log }: Pick<Engine, "store" | "clock" | "log">,
  count: CountHit,
): HitWriter {
  let underWay = 0
  const recent = new LRUCache<string, { since: number; count: number }>({
    // As a size, because the memory for a number of entries would be taken at once.
    maxSize: watchedMessages,
    sizeCalculation: () => 1,
  })

  function isFlood(emailId: string, now: number): boolean {
    const known = recent.get(emailId)
    const window = known && isWithin(minute, now, known.since) ? known : { since: now, count: 0 }
    window.count++
    recent.set(emailId, window)
    return window.count > maxPerMinute
  }

  async function write(hit: NotedHit): Promise<void> {
    try {
      const projectId = await findProjectOf(store.read, hit.emailId)
      if (projectId !== undefined) await store.write(projectId, (unit) => count(unit, hit))
    } catch (cause) {
      log.error("A hit could not be stored", { email: hit.emailId, reason: reasonOf(cause) })
    }
  }

  return {
    async save(emailId, link) {
      const at = clock.now()
      if (isFlood(emailId, at)) return
      if (underWay >= maxUnderWay) return log.warn("Hits come faster than they can be stored", { email: emailId })
      underWay++
      await write({ emailId, link, at }).finally(() => underWay--)
    },
  }
}

import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { minute } from "../../../kernel/clock.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { findProjectOf } from "./hit-store.ts"
import { mailHit, type NotedHit } from "./hits.ts"

export interface HitWriter {
  /**
   * Counts a hit: on disk when it resolves, unless it is beyond a limit or the store cannot take it. Never rejects. `link`
   * is the key of the link, null for an open.
   */
  save(emailId: string, link: string | null): Promise<void>
}

/** Hits being written; beyond this they are dropped, because the store is slower than they come. */
const maxUnderWay = 10_000
/** Hits of one message in a minute: mail forwarded to a whole office has fewer, a request loop has more. */
const maxPerMinute = 1_000
const watchedMessages = 10_000

/**
 * Puts hits on the bus. What goes beyond the limits is answered all the same, but not counted.
 * The limits protect this process, so what they count is in memory and lost with it.
 */
export function createHitWriter({
  store,
  bus,
  clock,
  log,
}: Pick<Engine, "store" | "bus" | "clock" | "log">): HitWriter {
  let underWay = 0
  const recent = new LRUCache<string, { since: number; count: number }>({ max: watchedMessages })

  function isFlood(emailId: string, now: number): boolean {
    const known = recent.get(emailId)
    // In both directions, for a clock may be set back.
    const window = known && Math.abs(now - known.since) < minute ? known : { since: now, count: 0 }
    window.count++
    recent.set(emailId, window)
    return window.count > maxPerMinute
  }

  async function write(hit: NotedHit): Promise<void> {
    try {
      const projectId = await findProjectOf(store.read, hit.emailId)
      if (projectId !== undefined) await store.write(projectId, (unit) => bus.emit(unit, mailHit, projectId, hit))
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

import { createSemaphore } from "../../src/kernel/semaphore.ts"
import type { Session } from "./session.ts"

/** At most `size` sessions at once, reused while they live. */
export interface SessionPool {
  /** A session, opened if need be. Rejects when it cannot be opened, or with the signal's reason when that aborts first. */
  take(abort: AbortSignal): Promise<Session>
  /** Every session taken comes back this way. */
  give(session: Session, reusable: boolean): void
  /** Ends the idle sessions: when one was found closed by the server, the others probably are too. */
  dropIdle(): Promise<void>
  /** As `dropIdle`, and for good: sessions that come back later are ended too. Resolves when those idle are gone. */
  close(): Promise<void>
}

// Servers drop silent clients after minutes; a session is given up before that.
const idleMs = 30_000
// A long run moves on to the other addresses of the server, and to those that DNS names meanwhile.
const messagesPerSession = 1_000

export function createPool(size: number, open: (abort: AbortSignal) => Promise<Session>): SessionPool {
  const idle: { session: Session; timer: ReturnType<typeof setTimeout> }[] = []
  const semaphore = createSemaphore(size)
  let closed = false

  const pool: SessionPool = {
    async take(abort) {
      if (!(await semaphore.acquire(abort))) throw abort.reason
      for (let entry = idle.pop(); entry; entry = idle.pop()) {
        clearTimeout(entry.timer)
        if (entry.session.alive) return entry.session
      }
      try {
        return await open(abort)
      } catch (failure) {
        semaphore.release()
        throw failure
      }
    },
    give(session, reusable) {
      if (reusable && session.alive && !closed && session.used < messagesPerSession) {
        const entry = { session, timer: setTimeout(() => retire(entry), idleMs) }
        entry.timer.unref()
        idle.push(entry)
      } else session.end()
      semaphore.release()
    },
    async dropIdle() {
      const dropped = idle.splice(0)
      for (const { timer } of dropped) clearTimeout(timer)
      await Promise.all(dropped.map(({ session }) => session.end()))
    },
    close() {
      closed = true
      return pool.dropIdle()
    },
  }

  function retire(entry: (typeof idle)[number]): void {
    idle.splice(idle.indexOf(entry), 1)
    entry.session.end()
  }

  return pool
}

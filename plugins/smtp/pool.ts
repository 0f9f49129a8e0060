import { createSemaphore } from "../../src/kernel/semaphore.ts"
import type { Session } from "./session.ts"

/** At most `size` concurrent sessions, which are reused. */
export interface SessionPool {
  /**
   * Resolves to an idle or a new session. Rejects when it cannot be opened, or with the signal's reason when that
   * aborts first.
   */
  take(abort: AbortSignal): Promise<Session>
  /** Returns a session to the pool; required for every session taken. */
  give(session: Session, reusable: boolean): void
  /** Ends the idle sessions: when one was found closed by the server, the others probably are too. */
  dropIdle(): Promise<void>
  /** Like `dropIdle`, and ends sessions that are returned later too. Resolves when the idle ones have ended. */
  close(): Promise<void>
}

// Servers disconnect idle clients after some minutes; a session is closed before that.
const idleMs = 30_000
// Sessions are renewed, so that mail also goes to other addresses of the server and to new ones in DNS.
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
        semaphore.release()
      } else {
        // Servers limit connections, so another one waits until this one is closed.
        session.end().finally(() => semaphore.release())
      }
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

import { createSemaphore } from "../../src/kernel/semaphore.ts"
import { SmtpFailure } from "./failure.ts"
import type { Session } from "./session.ts"

/** At most `size` concurrent sessions, which are reused; fewer while the server refuses more connections. */
interface SessionPool {
  /**
   * Resolves to an idle session, or to a new one; to a new one only when `fresh` is true. Rejects when none can be opened,
   * or with the signal's reason when that aborts first. When the server refuses a connection temporarily (as with 421 for
   * too many) while others are open, the pool is smaller by one for a minute, and `take` waits for one of the others.
   */
  take(abort: AbortSignal, fresh?: boolean): Promise<Session>
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
const slotPauseMs = 60_000

export function createPool(size: number, open: (abort: AbortSignal) => Promise<Session>): SessionPool {
  const idle: { session: Session; timer: ReturnType<typeof setTimeout> }[] = []
  const semaphore = createSemaphore(size)
  /** The open sessions, idle or in use. */
  const sessions = new Set<Session>()
  /** The timers of the slots that are paused, each of which holds the semaphore once. */
  const pauses = new Set<ReturnType<typeof setTimeout>>()
  let opening = 0
  let closed = false

  const pool: SessionPool = {
    async take(abort, fresh = false) {
      for (let hasPaused = false; ; hasPaused = true) {
        if (!(await semaphore.acquire(abort))) throw abort.reason
        const session = (await takeIdle(fresh)) ?? (await openSession(abort, hasPaused))
        if (session) return session
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
        end(session).finally(() => semaphore.release())
      }
    },
    async dropIdle() {
      const dropped = idle.splice(0)
      for (const { timer } of dropped) clearTimeout(timer)
      await Promise.all(dropped.map(({ session }) => end(session)))
    },
    close() {
      closed = true
      endPauses()
      return pool.dropIdle()
    },
  }

  function retire(entry: (typeof idle)[number]): void {
    idle.splice(idle.indexOf(entry), 1)
    end(entry.session)
  }

  function end(session: Session): Promise<void> {
    sessions.delete(session)
    return session.end()
  }

  /** Ends the idle sessions that cannot be used, up to the first that can. */
  async function takeIdle(fresh: boolean): Promise<Session | undefined> {
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      clearTimeout(entry.timer)
      if (entry.session.alive && !fresh) return entry.session
      await end(entry.session)
    }
    return undefined
  }

  /** Undefined when the server refused it for now and the slot is paused, so that another session has to be waited for. */
  async function openSession(abort: AbortSignal, hasPaused: boolean): Promise<Session | undefined> {
    opening++
    try {
      const session = await open(abort)
      sessions.add(session)
      return session
    } catch (failure) {
      const isOneAlive = [...sessions].some(({ alive }) => alive)
      // The other connections that are being opened may be those that the server accepts.
      const hasOthers = isOneAlive || (opening > 1 && !hasPaused)
      if (hasOthers && isTemporary(failure) && !closed && !abort.aborted) {
        pauseSlot()
        return undefined
      }
      semaphore.release()
      if (!isOneAlive) endPauses()
      throw failure
    } finally {
      opening--
    }
  }

  /** Keeps the slot of the caller out of use for a while. Another session is open or being opened. */
  function pauseSlot(): void {
    const timer = setTimeout(() => {
      pauses.delete(timer)
      semaphore.release()
    }, slotPauseMs)
    timer.unref()
    pauses.add(timer)
  }

  function endPauses(): void {
    for (const timer of pauses) {
      clearTimeout(timer)
      semaphore.release()
    }
    pauses.clear()
  }

  return pool
}

/** Whether the server said that it may accept the connection later (RFC 5321, 4.2.1). */
const isTemporary = (failure: unknown): boolean =>
  failure instanceof SmtpFailure && failure.code !== undefined && failure.code >= 400 && failure.code < 500

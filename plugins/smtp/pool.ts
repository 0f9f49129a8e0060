import { createSemaphore } from "../../src/kernel/semaphore.ts"
import { SmtpFailure } from "./failure.ts"
import type { Session } from "./session.ts"

/** At most `size` concurrent sessions, which are reused; fewer while the server takes no more. */
export interface SessionPool {
  /**
   * Resolves to an idle or a new session. Rejects when it cannot be opened, or with the signal's reason when that
   * aborts first. A server that refuses one for now, as with a 421 for too many, and has taken others is not asked
   * for it again for a minute: then one of the others is waited for. A `fresh` one is new.
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
const restMs = 60_000

export function createPool(size: number, open: (abort: AbortSignal) => Promise<Session>): SessionPool {
  const idle: { session: Session; timer: ReturnType<typeof setTimeout> }[] = []
  const semaphore = createSemaphore(size)
  /** Open ones, idle or in use. */
  const sessions = new Set<Session>()
  /** Of the places that are not used for now. */
  const rests = new Set<ReturnType<typeof setTimeout>>()
  let opening = 0
  let closed = false

  const pool: SessionPool = {
    async take(abort, fresh = false) {
      for (let hasWaited = false; ; hasWaited = true) {
        if (!(await semaphore.acquire(abort))) throw abort.reason
        for (let entry = idle.pop(); entry; entry = idle.pop()) {
          clearTimeout(entry.timer)
          if (entry.session.alive && !fresh) return entry.session
          await end(entry.session)
        }
        opening++
        try {
          const session = await open(abort)
          sessions.add(session)
          return session
        } catch (failure) {
          const works = [...sessions].some(({ alive }) => alive)
          // The other connections that are being opened may be those that the server takes.
          const others = works || (opening > 1 && !hasWaited)
          if (others && isForNow(failure) && !closed && !abort.aborted) rest()
          else {
            semaphore.release()
            if (!works) endRests()
            throw failure
          }
        } finally {
          opening--
        }
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
      endRests()
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

  /** Leaves a place unused for a while. At least one session is open, or being opened, in another. */
  function rest(): void {
    const timer = setTimeout(() => {
      rests.delete(timer)
      semaphore.release()
    }, restMs)
    timer.unref()
    rests.add(timer)
  }

  function endRests(): void {
    for (const timer of rests) {
      clearTimeout(timer)
      semaphore.release()
    }
    rests.clear()
  }

  return pool
}

/** Whether the server said that it may take the connection later (RFC 5321, 4.2.1). */
const isForNow = (failure: unknown): boolean =>
  failure instanceof SmtpFailure && failure.code !== undefined && failure.code >= 400 && failure.code < 500

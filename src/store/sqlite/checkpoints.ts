import type { Database } from "bun:sqlite"
import { type Log, reasonOf } from "../../kernel/log.ts"

/** Moves the write-ahead log into the database on a thread of its own: it takes tens of ms, and commits go on meanwhile. */
export interface Checkpoints {
  /** Told after every commit; sees to it when the log has become long. Never throws. */
  committed(): void
  /** Resolves when none is running any more. */
  close(): Promise<void>
}

/** What runs a checkpoint: a thread, or what stands for one. */
export type StartThread = () => Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">

/**
 * Pages of 4 KB. A checkpoint writes each page once however often it changed: fewer of them are faster, and 16 MB of log
 * are short.
 */
const longLog = 4_000
/** Pages more that make it worthwhile to ask again. */
const worthwhile = 500
/** The part of the log that the event loop spares the time for: of a log that keeps growing in spite of the thread, more. */
const sparePart = 1 / 8
/** Where a commit does it all itself, for it outruns the thread. */
export const longestLog = 40_000

/** Where the thread's program is, seen from the built one; put in by `config/build.ts`. */
declare const MAILSTEAD_CHECKPOINT_WORKER: string | undefined
const program = typeof MAILSTEAD_CHECKPOINT_WORKER === "string" ? MAILSTEAD_CHECKPOINT_WORKER : "./checkpoint-worker.ts"

const startWorker: StartThread = () => new Worker(new URL(program, import.meta.url).href, { ref: false })

/**
 * The log begins anew only when all of it is in the database, and a commit follows: so the last few pages, written while
 * the thread was at work, are moved here, right after a commit. The thread starts when the log is long for the first time.
 */
export function createCheckpoints(
  path: string,
  client: Database,
  log: Log,
  start: StartThread = startWorker,
): Checkpoints {
  const pages = client.prepare<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)")
  const finish = client.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  let thread: ReturnType<StartThread> | undefined
  let running = false
  let failed = false
  let whenDone = () => {}
  /** How much was left when the thread was last asked: while a long read holds the rest, asking again is in vain. */
  let leftBefore = 0

  function ask(): void {
    if (thread === undefined) {
      thread = start()
      thread.onmessage = done
      thread.onerror = ({ message }: ErrorEvent) => {
        giveUp(message)
        done()
      }
    }
    running = true
    thread.postMessage(path)
  }

  function done(): void {
    running = false
    whenDone()
  }

  /** From now on the commits that find the log too long do it, as SQLite has them do by itself. */
  function giveUp(reason: string): void {
    failed = true
    log.warn("A checkpoint failed", { reason })
    client.run(`PRAGMA wal_autocheckpoint = ${longLog}`)
  }

  function look(): void {
    const state = pages.get()
    if (state === null || state.log < longLog) return
    const left = state.log - state.checkpointed
    if (left <= state.log * sparePart) {
      leftBefore = 0
      finish.get()
    } else if (left < leftBefore || left >= leftBefore + worthwhile) {
      leftBefore = left
      ask()
    }
  }

  return {
    committed() {
      if (running || failed) return
      try {
        look()
      } catch (cause) {
        giveUp(reasonOf(cause))
      }
    },
    async close() {
      if (running) await new Promise<void>((resolve) => (whenDone = resolve))
      thread?.terminate()
    },
  }
}

import type { Database } from "bun:sqlite"
import { type Log, reasonOf } from "../../kernel/log.ts"

/** Checkpoints the write-ahead log on a separate thread: this takes tens of ms, while commits continue. */
interface Checkpoints {
  /** To be called after every commit; starts a checkpoint when the log has become long. Never throws. */
  committed(): void
  /** Ends the thread, which takes megabytes, unless it is at work. */
  releaseMemory(): void
  /** Resolves when no checkpoint is running. */
  close(): Promise<void>
}

/** Starts the thread that runs checkpoints, or a substitute in tests. */
export type StartThread = () => Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">

/**
 * The log length, in pages of 4 KB, at which a checkpoint is requested. A checkpoint writes each page once however
 * often it changed, so fewer checkpoints cost less; 16 MB of log are still short.
 */
const longLog = 4_000
/** How many pages more justify another request. */
const worthwhile = 500
/**
 * The share of the log that the event loop may checkpoint itself; it does more when the log grows in spite of the
 * thread.
 */
const sparePart = 1 / 8
/** The length at which a commit checkpoints the whole log itself, because commits outrun the thread. */
export const longestLog = 40_000

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_CHECKPOINT_WORKER: string | undefined
const program = typeof MAILSTEAD_CHECKPOINT_WORKER === "string" ? MAILSTEAD_CHECKPOINT_WORKER : "./checkpoint-worker.ts"

const startWorker: StartThread = () => new Worker(new URL(program, import.meta.url).href, { ref: false })

/**
 * SQLite restarts the log only when all of it is in the database and a commit follows. So the last pages, written while
 * the thread was working, are moved here right after a commit. The thread is started when the log is long for the first
 * time. The counters are in memory because they only decide when to run a checkpoint.
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
  /**
   * How much was left when the thread was last asked: while a long read holds the rest, another request has no effect.
   */
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

  /** From now on a commit that finds the log too long runs the checkpoint, which is SQLite's default. */
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
    releaseMemory() {
      if (running) return
      thread?.terminate()
      thread = undefined
    },
    async close() {
      if (running) await new Promise<void>((resolve) => (whenDone = resolve))
      thread?.terminate()
    },
  }
}

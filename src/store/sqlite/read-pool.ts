import { availableParallelism } from "node:os"
import { DrizzleQueryError } from "drizzle-orm/errors"
import { drizzle } from "drizzle-orm/sqlite-proxy"
import { type Clock, second } from "../../kernel/clock.ts"
import { createFairQueue } from "../../kernel/fair-queue.ts"
import type { Histogram } from "../../kernel/metrics.ts"
import type { Db } from "../database.ts"
import type { ReadPool } from "../engine.ts"
import { SlowRead } from "../slow-read.ts"
import { storeClosing } from "../writer.ts"

interface Question {
  resolve(rows: unknown[]): void
  reject(cause: unknown): void
}

interface Answer {
  readonly rows?: unknown[]
  readonly fault?: { readonly message: string; readonly code?: string }
}

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_READ_POOL_WORKER: string | undefined
const program = typeof MAILSTEAD_READ_POOL_WORKER === "string" ? MAILSTEAD_READ_POOL_WORKER : "./read-pool-worker.ts"

const mostThreads = 4
/** How long `close` waits for a query that does not look at the time. */
const closeMs = 2 * second

/** Starts and ends the threads of a pool. Replaced in tests, which reuse threads. */
export interface ReadThreads {
  /** A thread whose program calls `serveReads`. It must not keep the process alive. */
  start(): Worker
  /** Ends a thread that has closed its connection. */
  end(thread: Worker): void
}

const ownThreads: ReadThreads = {
  start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
  end: (thread) => thread.terminate(),
}

interface ReadPoolDeps {
  /** Real time. */
  readonly clock: Clock
  readonly source?: ReadThreads | undefined
  /** Records the seconds that a read takes on its thread. */
  readonly durations?: Histogram
}

/** Threads are started on demand; they end with the store, or by `releaseMemory`. A read takes `limitMs` at most. */
export function createReadPool(
  path: string,
  limitMs: number,
  { clock, source = ownThreads, durations }: ReadPoolDeps,
): ReadPool {
  const width = Math.min(mostThreads, Math.max(2, availableParallelism()))
  const turns = createFairQueue<() => void>()
  let running = 0
  const threads = new Set<Worker>()
  const free: Worker[] = []
  const asked = new Map<Worker, Question>()
  const closing = new AbortController()
  /** `closing` in shared memory: the threads check it while they read. */
  const isClosing = new Int32Array(new SharedArrayBuffer(4))

  function start(): Worker {
    const thread = source.start()
    thread.onmessage = ({ data: { rows, fault } }: MessageEvent<Answer>) => {
      free.push(thread)
      const question = take(thread)
      if (fault?.code === "TOO_SLOW") question?.reject(new SlowRead(limitMs))
      else if (fault) question?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
      else question?.resolve(rows ?? [])
    }
    thread.onerror = ({ message }: ErrorEvent) => {
      threads.delete(thread)
      if (free.includes(thread)) free.splice(free.indexOf(thread), 1)
      thread.terminate()
      take(thread)?.reject(new Error(`A thread of the read pool failed: ${message}`))
    }
    threads.add(thread)
    return thread
  }

  function take(thread: Worker): Question | undefined {
    const question = asked.get(thread)
    asked.delete(thread)
    return question
  }

  function next(): void {
    while (running < width) {
      const begin = turns.begin()
      if (begin === undefined) return
      running++
      begin()
    }
  }

  /** Runs a query on the next free thread. Rows are lists of values, as the database has them. */
  async function run(scope: string, sql: string, params: unknown[]): Promise<{ rows: unknown[] }> {
    if (closing.signal.aborted) throw storeClosing()
    await new Promise<void>((resolve) => {
      turns.add(scope, resolve)
      next()
    })
    try {
      if (closing.signal.aborted) throw storeClosing()
      const began = performance.now()
      const rows = await new Promise<unknown[]>((resolve, reject) => {
        const thread = free.pop() ?? start()
        asked.set(thread, { resolve, reject })
        thread.postMessage({ path, sql, params, limitMs, isClosing })
      })
      durations?.observe((performance.now() - began) / 1_000)
      return { rows }
    } finally {
      running--
      turns.end(scope)
      next()
    }
  }

  /** Resolves when the thread has closed its connection and ended. */
  const dismiss = (thread: Worker) =>
    new Promise<void>((resolve) => {
      const over = (end: () => void) => {
        threads.delete(thread)
        end()
        resolve()
      }
      thread.onmessage = ({ data: { rows, fault } }: MessageEvent<Answer>) => {
        if (rows === undefined && fault === undefined) over(() => source.end(thread))
      }
      thread.onerror = () => over(() => thread.terminate())
      thread.postMessage(undefined)
    })

  return {
    read: async (scope, query, part = 0) => {
      // Drizzle decodes the rows by the columns of the query. The driver is asynchronous, which makes no difference to
      // awaited builders.
      const turn = part === 0 ? scope : `${scope} ${part}`
      const db = drizzle((sql, params) => run(turn, sql, params)) as unknown as Db
      try {
        return await query(db)
      } catch (cause) {
        // Drizzle's message contains the query with all of its values.
        throw cause instanceof DrizzleQueryError ? cause.cause : cause
      }
    },
    releaseMemory() {
      for (const thread of free.splice(0)) void dismiss(thread)
    },
    async close() {
      closing.abort()
      Atomics.store(isClosing, 0, 1)
      for (const question of asked.values()) question.reject(storeClosing())
      asked.clear()
      for (const begin of turns.drain()) begin()
      const ended = new AbortController()
      await Promise.race([Promise.all(Array.from(threads, dismiss)), clock.sleep(closeMs, ended.signal)])
      ended.abort()
      for (const thread of threads) thread.terminate()
      threads.clear()
    },
  }
}

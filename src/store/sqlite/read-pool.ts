import { availableParallelism } from "node:os"
import { DrizzleQueryError } from "drizzle-orm/errors"
import { drizzle } from "drizzle-orm/sqlite-proxy"
import { DomainError } from "../../kernel/errors.ts"
import { createSemaphore } from "../../kernel/semaphore.ts"
import type { Db } from "../database.ts"
import type { ReadPool } from "../engine.ts"

interface Question {
  resolve(rows: unknown[]): void
  reject(cause: unknown): void
}

interface Answer {
  readonly rows?: unknown[]
  readonly fault?: { readonly message: string; readonly code?: string }
}

/** The path of the thread's program inside the executable; `config/build.ts` defines it. */
declare const MAILSTEAD_READ_POOL_WORKER: string | undefined
const program = typeof MAILSTEAD_READ_POOL_WORKER === "string" ? MAILSTEAD_READ_POOL_WORKER : "./read-pool-worker.ts"

const mostThreads = 4

/** Threads are started when there is something to read, and end with the store. */
export function createReadPool(path: string): ReadPool {
  const width = Math.min(mostThreads, availableParallelism())
  const semaphore = createSemaphore(width)
  const threads = new Set<Worker>()
  const free: Worker[] = []
  const asked = new Map<Worker, Question>()
  const closing = new AbortController()

  function start(): Worker {
    const thread = new Worker(new URL(program, import.meta.url).href, { ref: false })
    thread.onmessage = ({ data: { rows, fault } }: MessageEvent<Answer>) => {
      free.push(thread)
      const question = take(thread)
      if (fault) question?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
      else question?.resolve(rows ?? [])
    }
    thread.onerror = ({ message }: ErrorEvent) => {
      threads.delete(thread)
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

  /** Runs a query on the next free thread. Rows are lists of values, as the database has them. */
  async function run(sql: string, params: unknown[]): Promise<{ rows: unknown[] }> {
    const isAcquired = await semaphore.acquire(closing.signal)
    try {
      if (closing.signal.aborted) throw stopped()
      const rows = await new Promise<unknown[]>((resolve, reject) => {
        const thread = free.pop() ?? start()
        asked.set(thread, { resolve, reject })
        thread.postMessage({ path, sql, params })
      })
      return { rows }
    } finally {
      if (isAcquired) semaphore.release()
    }
  }

  // Drizzle decodes the rows by the columns of the query. Its driver is asynchronous, which awaited builders do not notice.
  const db = drizzle(run) as unknown as Db

  return {
    width,
    read: async (query) => {
      try {
        return await query(db)
      } catch (cause) {
        // Its message repeats the query with all of its values.
        throw cause instanceof DrizzleQueryError ? cause.cause : cause
      }
    },
    close() {
      closing.abort()
      for (const thread of threads) thread.terminate()
      for (const question of asked.values()) question.reject(stopped())
      asked.clear()
    },
  }
}

const stopped = () => new DomainError("unavailable", "STOPPING", "The server is stopping.")

import { availableParallelism } from "node:os"
import { DomainError } from "../../kernel/errors.ts"
import type { ReadPool, ReadPoolQuery } from "../engine.ts"

interface Question {
  readonly sql: string
  readonly params: unknown[]
  resolve(rows: unknown[]): void
  reject(cause: unknown): void
}

interface Answer {
  readonly rows?: unknown[]
  readonly fault?: { readonly message: string; readonly code?: string }
}

/** Where the thread's program is, seen from the built one; put in by `config/build.ts`. */
declare const MAILSTEAD_READ_POOL_WORKER: string | undefined
const program = typeof MAILSTEAD_READ_POOL_WORKER === "string" ? MAILSTEAD_READ_POOL_WORKER : "./read-pool-worker.ts"

const mostThreads = 4

/** Threads are started when there is something to read, and end with the store. */
export function createReadPool(path: string): ReadPool {
  const width = Math.min(mostThreads, availableParallelism())
  const threads = new Set<Worker>()
  const free: Worker[] = []
  const waiting: Question[] = []
  const asked = new Map<Worker, Question>()
  let closed = false

  function start(): Worker {
    const thread = new Worker(new URL(program, import.meta.url).href, { ref: false })
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      const question = take(thread)
      free.push(thread)
      next()
      if (data.fault) question?.reject(Object.assign(new Error(data.fault.message), { code: data.fault.code }))
      else question?.resolve(data.rows ?? [])
    }
    thread.onerror = ({ message }: ErrorEvent) => {
      threads.delete(thread)
      thread.terminate()
      take(thread)?.reject(new Error(`A reading thread failed: ${message}`))
      next()
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
    while (waiting.length > 0) {
      const thread = free.pop() ?? (threads.size < width ? start() : undefined)
      const question = thread && waiting.shift()
      if (thread === undefined || question === undefined) return
      asked.set(thread, question)
      thread.postMessage({ path, sql: question.sql, params: question.params })
    }
  }

  return {
    width,
    read<Row>(query: ReadPoolQuery): Promise<Row[]> {
      if (closed) return Promise.reject(stopped())
      const { sql, params } = query.toSQL()
      return new Promise<unknown[]>((resolve, reject) => {
        waiting.push({ sql, params, resolve, reject })
        next()
      }) as Promise<Row[]>
    },
    close() {
      closed = true
      for (const thread of threads) thread.terminate()
      for (const question of [...asked.values(), ...waiting.splice(0)]) question.reject(stopped())
      asked.clear()
    },
  }
}

const stopped = () => new DomainError("unavailable", "STOPPING", "The server is stopping.")

import { availableParallelism } from "node:os"
import { DomainError, type ErrorExtras, type ErrorKind } from "./errors.ts"

/** Runs work on untrusted input that may take long on separate threads, so that the event loop is not blocked. */
export interface WorkThreads<Q, A> {
  /**
   * At most one piece of work of each project runs at a time; the rest waits in order.
   * @throws {DomainError} the error of the work, or `tooSlow` when the work exceeds `limitMs`
   */
  run(question: Q, projectId: string): Promise<A>
}

export interface WorkThreadsOptions {
  /** Starts a thread whose program calls `answerWork`. It must not keep the process alive. */
  start(): Worker
  readonly limitMs: number
  tooSlow(): DomainError
}

type Answer = { readonly value: unknown } | { readonly refused: Refused } | { readonly failed: string }

interface Refused {
  readonly kind: ErrorKind
  readonly code: string
  readonly message: string
  readonly extras: ErrorExtras
}

interface Work {
  readonly question: unknown
  readonly projectId: string
  resolve(value: unknown): void
  reject(cause: unknown): void
}

/** Threads are started on demand and end with the process. */
export function createWorkThreads<Q, A>({ start, limitMs, tooSlow }: WorkThreadsOptions): WorkThreads<Q, A> {
  const width = Math.min(2, availableParallelism())
  const free: Worker[] = []
  const waiting: Work[] = []
  const busy = new Set<string>()
  let threads = 0

  function next(): void {
    const at = waiting.findIndex(({ projectId }) => !busy.has(projectId))
    if (at < 0 || (free.length === 0 && threads === width)) return
    const [work] = waiting.splice(at, 1)
    if (work) perform(work)
    next()
  }

  function perform(work: Work): void {
    const thread = free.pop() ?? open()
    busy.add(work.projectId)
    const timer = setTimeout(() => end(tooSlow()), limitMs)
    const over = () => {
      clearTimeout(timer)
      busy.delete(work.projectId)
    }
    const end = (cause: unknown) => {
      over()
      thread.terminate()
      threads--
      work.reject(cause)
      next()
    }
    thread.onerror = ({ message }) => end(new Error(`A working thread failed: ${message}`))
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      over()
      free.push(thread)
      if ("value" in data) work.resolve(data.value)
      else if ("failed" in data) work.reject(new Error(data.failed))
      else work.reject(new DomainError(data.refused.kind, data.refused.code, data.refused.message, data.refused.extras))
      next()
    }
    thread.postMessage(work.question)
  }

  function open(): Worker {
    threads++
    return start()
  }

  return {
    run: (question, projectId) =>
      new Promise<unknown>((resolve, reject) => {
        waiting.push({ question, projectId, resolve, reject })
        next()
      }) as Promise<A>,
  }
}

/** The program of a thread of `createWorkThreads`: answers each question with the result of `work`. */
export function answerWork<Q>(thread: Worker, work: (question: Q) => unknown): void {
  thread.onmessage = async ({ data }: MessageEvent<Q>) => thread.postMessage(await answerTo(() => work(data)))
}

async function answerTo(work: () => unknown): Promise<Answer> {
  try {
    return { value: await work() }
  } catch (cause) {
    if (!(cause instanceof DomainError)) return { failed: String(cause) }
    const { kind, code, message, extras } = cause
    return { refused: { kind, code, message, extras } }
  }
}

import { availableParallelism } from "node:os"
import { DomainError, type ErrorExtras, type ErrorKind } from "./errors.ts"

/** Work on foreign input that may take long, on threads of its own: the event loop turns meanwhile. */
export interface WorkThreads<Q, A> {
  /**
   * Of each project one piece of work runs at a time, and what waits is served in order.
   * @throws {DomainError} as the work does; `tooSlow` when it takes longer than it may
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

/** Threads are started when there is work, and end by themselves with the process. */
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

/** What a thread of `createWorkThreads` does: answers each question with the result of `work`. */
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

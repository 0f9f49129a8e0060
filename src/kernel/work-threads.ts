import { availableParallelism } from "node:os"
import { DomainError, type ErrorExtras, type ErrorKind } from "./errors.ts"
import { createFairQueue } from "./fair-queue.ts"
import { createTimeBudget, type TimeBudget } from "./time-budget.ts"

/** Runs work on untrusted input that may take long on separate threads, so that the event loop is not blocked. */
interface WorkThreads<Q, A> {
  /**
   * Of each project one piece of work runs at a time, within the project's time budget, and projects take turns.
   * `moved` is memory of the question that moves to the thread instead of being copied.
   * @throws {DomainError} the error of the work; `tooSlow` when it exceeds `limitMs`; 429 when too much waits already
   * @throws {UnsendableResult}
   */
  run(question: Q, projectId: string, moved?: readonly ArrayBuffer[]): Promise<A>
}

interface WorkThreadsOptions {
  /** Starts a thread whose program calls `answerWork`. It must not keep the process alive. */
  start(): Worker
  readonly limitMs: number
  tooSlow(): DomainError
  /** How many pieces of work of one project may wait, and what they are in the refusal of more; any number when left out. */
  readonly waiting?: { readonly most: number; readonly what: string }
  readonly budget?: Pick<TimeBudget, "spend" | "whenFree">
  /** A thread that has had no work for so long ends, because it takes tens of megabytes. 5 seconds when left out. */
  readonly idleMs?: number
}

/**
 * The processor time that a project may use on the threads: half of each second, and a burst of some seconds after it
 * has used less.
 */
const share = 0.5
const burstMs = 5_000
const usualIdleMs = 5_000

type Answer =
  | { readonly value: unknown }
  | { readonly refused: Refused }
  | { readonly failed: string }
  | { readonly unsendable: string }

/** A result that a thread cannot hand over, because it is nested too deeply for a structured clone. */
export class UnsendableResult extends Error {}

interface Refused {
  readonly kind: ErrorKind
  readonly code: string
  readonly message: string
  readonly extras: ErrorExtras
}

interface Work {
  readonly question: unknown
  readonly moved: readonly ArrayBuffer[]
  readonly projectId: string
  resolve(value: unknown): void
  reject(cause: unknown): void
}

interface Free {
  readonly thread: Worker
  readonly end: ReturnType<typeof setTimeout>
}

/** Threads are started on demand and end when they are idle. */
export function createWorkThreads<Q, A>(options: WorkThreadsOptions): WorkThreads<Q, A> {
  const { start, limitMs, tooSlow, waiting, idleMs = usualIdleMs } = options
  const { budget = createTimeBudget({ share, burstMs }) } = options
  const width = Math.min(2, availableParallelism())
  const free: Free[] = []
  const turns = createFairQueue<Work>()
  let running = 0

  function next(): void {
    while (running < width) {
      const work = turns.begin()
      if (work === undefined) return
      running++
      perform(work)
    }
  }

  function take(): Worker {
    const known = free.pop()
    clearTimeout(known?.end)
    return known?.thread ?? start()
  }

  function putBack(thread: Worker): void {
    const giveUp = () => {
      const at = free.indexOf(one)
      if (at < 0) return
      clearTimeout(end)
      free.splice(at, 1)
      thread.terminate()
    }
    const end = setTimeout(giveUp, idleMs)
    end.unref()
    const one = { thread, end }
    thread.onerror = giveUp
    free.push(one)
  }

  function perform({ question, moved, projectId, resolve, reject }: Work): void {
    const thread = take()
    const startedAt = performance.now()
    const timer = setTimeout(() => end(tooSlow()), limitMs)
    const over = () => {
      clearTimeout(timer)
      running--
      budget.spend(projectId, performance.now() - startedAt)
      // The project's next piece of work waits until its budget allows it; those of other projects start at once.
      budget.whenFree(projectId, () => {
        turns.end(projectId)
        next()
      })
      next()
    }
    const end = (cause: unknown) => {
      thread.terminate()
      reject(cause)
      over()
    }
    thread.onerror = ({ message }) => end(new Error(`A working thread failed: ${message}`))
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      putBack(thread)
      if ("value" in data) resolve(data.value)
      else if ("failed" in data) reject(new Error(data.failed))
      else if ("unsendable" in data) reject(new UnsendableResult(data.unsendable))
      else reject(new DomainError(data.refused.kind, data.refused.code, data.refused.message, data.refused.extras))
      over()
    }
    try {
      thread.postMessage(question, [...moved])
    } catch (cause) {
      end(cause)
    }
  }

  return {
    run: (question, projectId, moved = []) =>
      new Promise<unknown>((resolve, reject) => {
        if (waiting && turns.waiting(projectId) >= waiting.most) throw tooMuch(waiting.what)
        turns.add(projectId, { question, moved, projectId, resolve, reject })
        next()
      }) as Promise<A>,
  }
}

const retryAfter = 5

const tooMuch = (what: string): DomainError =>
  new DomainError("too_many", "RATE_LIMIT_EXCEEDED", `Too many ${what} at a time.`, {
    details: { retryAfter },
    suggestion: `Send the request again in ${retryAfter} seconds.`,
  })

/** The program of a thread of `createWorkThreads`: answers each question with the result of `work`. */
export function answerWork<Q>(thread: Worker, work: (question: Q) => unknown): void {
  thread.onmessage = async ({ data }: MessageEvent<Q>) => {
    const answer = await answerTo(() => work(data))
    try {
      thread.postMessage(answer)
    } catch (cause) {
      thread.postMessage({ unsendable: String(cause) } satisfies Answer)
    }
  }
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

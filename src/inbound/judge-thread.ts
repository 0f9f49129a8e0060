import { type Clock, second } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { headEnd } from "./header-fields.ts"
import type { Arrival, Judgement } from "./judge.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_JUDGE_WORKER: string | undefined
const program = typeof MAILSTEAD_JUDGE_WORKER === "string" ? MAILSTEAD_JUDGE_WORKER : "./judge-worker.ts"

export interface JudgeQuestion {
  readonly id: number
  readonly arrival: Arrival
  readonly servers: readonly string[]
}

export interface JudgeAnswer {
  readonly id: number
  /** The reason when it failed. */
  readonly result: Judgement | string
}

/** The client waits meanwhile: ten minutes at least (RFC 5321, 4.5.3.2.6). */
const limitMs = 15 * second

/** The time to read a field grows with the square of its lines: a megabyte of them would take minutes. */
const mostHeaderLines = 10_000

function hasManyHeaderLines({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  const end = headEnd(bytes)
  let at = -1
  for (let left = mostHeaderLines; left >= 0; left--) {
    at = bytes.indexOf(10, at + 1)
    if (at < 0 || at >= end) return false
  }
  return true
}

const undecided = "PROCESSING_FAILED"
const unjudged: Judgement = { spf: undecided, dkim: undecided, dmarc: undecided, arc: undecided, header: "" }

interface JudgeDeps {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Never rejects: a message that takes too long, has too many header lines, or crashes the thread is received without a
 * verdict.
 */
type JudgeMessage = (arrival: Arrival) => Promise<Judgement>

/**
 * Judges messages on a single thread, because hashing 40 MB and checking many signatures takes long. It judges many at
 * a time, since it mostly waits for the DNS; their number is bounded by the number of connections.
 */
export function createJudge(servers: readonly string[], { clock, log }: JudgeDeps): JudgeMessage {
  const waiting = new Map<number, (judgement: Judgement) => void>()
  let thread: Worker | undefined
  let answeredAt = 0
  let count = 0

  function start(): Worker {
    const started = new Worker(new URL(program, import.meta.url).href, { ref: false })
    started.onmessage = ({ data: { id, result } }: MessageEvent<JudgeAnswer>) => {
      answeredAt = clock.now()
      if (typeof result === "string") log.warn("A message could not be judged", { reason: result })
      waiting.get(id)?.(typeof result === "string" ? unjudged : result)
    }
    started.onerror = ({ message }) => {
      if (thread === started) giveUp(message)
    }
    return started
  }

  /** The next message gets a new thread. */
  function giveUp(reason: string): void {
    log.warn("Messages could not be judged", { count: waiting.size, reason })
    thread?.terminate()
    thread = undefined
    for (const settle of [...waiting.values()]) settle(unjudged)
  }

  return async (arrival) => {
    if (hasManyHeaderLines(arrival.raw)) return unjudged
    return new Promise((resolve) => {
      const id = count++
      const over = new AbortController()
      void clock.sleep(limitMs, over.signal).then(() => {
        if (over.signal.aborted) return
        // If other messages were answered meanwhile, the thread is only waiting for the DNS; otherwise one message may
        // keep it busy for ever.
        if (clock.now() - answeredAt >= limitMs) giveUp("no answer in time")
        else settle(unjudged)
      })
      const settle = (judgement: Judgement) => {
        over.abort()
        waiting.delete(id)
        resolve(judgement)
      }
      waiting.set(id, settle)
      try {
        thread ??= start()
        thread.postMessage({ id, arrival, servers } satisfies JudgeQuestion)
      } catch (cause) {
        giveUp(reasonOf(cause))
      }
    })
  }
}

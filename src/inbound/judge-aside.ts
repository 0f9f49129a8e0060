import { second } from "../kernel/clock.ts"
import { DomainError, malformed } from "../kernel/errors.ts"
import type { Log } from "../kernel/log.ts"
import { createWorkThreads } from "../kernel/work-threads.ts"
import type { Arrival, Judgement } from "./judge.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_JUDGE_WORKER: string | undefined
const program = typeof MAILSTEAD_JUDGE_WORKER === "string" ? MAILSTEAD_JUDGE_WORKER : "./judge-worker.ts"

export interface JudgeQuestion {
  readonly arrival: Arrival
  readonly servers: readonly string[]
}

/** The client waits meanwhile: ten minutes at least (RFC 5321, 4.5.3.2.6). */
const limitMs = 15 * second

const undecided = "PROCESSING_FAILED"
const unjudged: Judgement = { spf: undecided, dkim: undecided, dmarc: undecided, arc: undecided, header: "" }

export type JudgeMessage = (arrival: Arrival, projectId: string) => Promise<Judgement>

/**
 * Judges messages on a thread, because hashing 40 MB and checking many signatures takes long. A message that takes too
 * long, or has brought the program down, is not judged, and received all the same.
 */
export function createJudge(servers: readonly string[], log: Pick<Log, "warn">): JudgeMessage {
  const threads = createWorkThreads<JudgeQuestion, Judgement>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`This message takes longer than ${limitMs / second} seconds to be judged.`),
  })
  return async (arrival, projectId) => {
    try {
      return await threads.run({ arrival, servers }, projectId)
    } catch (cause) {
      if (!(cause instanceof DomainError)) log.warn("A message could not be judged", { reason: String(cause) })
      return unjudged
    }
  }
}

import { DomainError, malformed } from "../kernel/errors.ts"
import { createWorkThreads } from "../kernel/work-threads.ts"
import { type ParsedMessage, parseMessage } from "./parse.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_PARSE_WORKER: string | undefined
const program = typeof MAILSTEAD_PARSE_WORKER === "string" ? MAILSTEAD_PARSE_WORKER : "./parse-worker.ts"

/** Messages up to this size are parsed on the event loop: this takes less than ten milliseconds. */
const maxAtOnce = 64 * 1024
const limitMs = 15_000

export type ParseMessage = (raw: Uint8Array, projectId: string) => Promise<ParsedMessage>

/**
 * Parses messages without blocking the event loop: character sets such as UTF-7 take seconds for some megabytes. Only
 * the beginning is read of a message that takes too long.
 */
export function createMessageParser(): ParseMessage {
  const threads = createWorkThreads<Uint8Array, ParsedMessage>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`This message takes longer than ${limitMs / 1_000} seconds to be read.`),
  })
  return async (raw, projectId) => {
    if (raw.byteLength <= maxAtOnce) return parseMessage(raw)
    try {
      return await threads.run(raw, projectId)
    } catch (cause) {
      if (!(cause instanceof DomainError)) throw cause
      return { ...(await parseMessage(raw.subarray(0, maxAtOnce))), complete: false }
    }
  }
}

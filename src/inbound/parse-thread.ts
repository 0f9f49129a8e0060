import { DomainError, malformed } from "../kernel/errors.ts"
import { createWorkThreads } from "../kernel/work-threads.ts"
import { type MessageText, readMessageTexts } from "./message-text.ts"
import type { ParsedMessage } from "./parse.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_PARSE_WORKER: string | undefined
const program = typeof MAILSTEAD_PARSE_WORKER === "string" ? MAILSTEAD_PARSE_WORKER : "./parse-worker.ts"

/** Messages up to this size together are parsed on the event loop: this takes less than ten milliseconds. */
const maxAtOnce = 64 * 1024
const limitMs = 15_000

/** The parser is loaded with the first message: the start of the server would wait for it. */
const parseMessage = async (raw: Uint8Array): Promise<ParsedMessage> => (await import("./parse.ts")).parseMessage(raw)

export type ParseMessage = (raw: Uint8Array, projectId: string) => Promise<ParsedMessage>
/**
 * Resolves to one text for each message, in order. The messages must not be used afterwards: their memory moves to the
 * thread.
 * @throws {DomainError} when they take too long together; `parse` reads the beginning of such a message
 */
type ReadTexts = (raws: readonly Uint8Array[], projectId: string) => Promise<MessageText[]>

export interface MessageParser {
  readonly parse: ParseMessage
  readonly readTexts: ReadTexts
}

/**
 * Parses messages without blocking the event loop: character sets such as UTF-7 take seconds for some megabytes. Only
 * the beginning is read of a message that takes too long.
 */
export function createMessageParser(): MessageParser {
  const threads = createWorkThreads({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`This message takes longer than ${limitMs / 1_000} seconds to be read.`),
  })

  return {
    async parse(raw, projectId) {
      if (raw.byteLength <= maxAtOnce) return parseMessage(raw)
      try {
        return (await threads.run(raw, projectId)) as ParsedMessage
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause
        return { ...(await parseMessage(raw.subarray(0, maxAtOnce))), complete: false }
      }
    },
    async readTexts(raws, projectId) {
      if (raws.reduce((bytes, raw) => bytes + raw.byteLength, 0) <= maxAtOnce) return readMessageTexts(raws)
      const moved = raws.map(({ buffer }) => buffer as ArrayBuffer)
      return (await threads.run(raws, projectId, moved)) as MessageText[]
    },
  }
}

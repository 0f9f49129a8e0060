import { malformed } from "../kernel/errors.ts"
import { createWorkThreads, UnsendableResult } from "../kernel/work-threads.ts"
import { parseJson } from "./json-parse.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_JSON_WORKER: string | undefined
const program = typeof MAILSTEAD_JSON_WORKER === "string" ? MAILSTEAD_JSON_WORKER : "./json-worker.ts"

const limitMs = 15_000

/** Parses JSON on another thread. Rejects with what `parseJson` would throw. */
export function createJsonThread(): (bytes: Uint8Array) => Promise<unknown> {
  const threads = createWorkThreads<Uint8Array, unknown>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`The body takes longer than ${limitMs / 1_000} seconds to be parsed.`),
  })
  // Large bodies are limited by their memory, each client to its share, so all of them take turns as one.
  return (bytes) =>
    threads.run(bytes, "json").catch((cause) => {
      // The greatest depth, beyond that of any valid request. With a limited number of values, checking takes some
      // milliseconds.
      if (cause instanceof UnsendableResult) return parseJson(bytes)
      throw cause
    })
}

import { malformed } from "../../kernel/errors.ts"
import { createWorkThreads } from "../../kernel/work-threads.ts"
import { postmarkReport } from "./postmark.ts"
import type { ProvidedMail } from "./provided.ts"
import type { ProviderReport } from "./provider-report.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_POSTMARK_WORKER: string | undefined
const program = typeof MAILSTEAD_POSTMARK_WORKER === "string" ? MAILSTEAD_POSTMARK_WORKER : "./postmark-worker.ts"

/** Requests up to this size are read on the event loop: this takes a few milliseconds. Only mail is larger. */
const maxAtOnce = 256 * 1024
const limitMs = 30_000

/** What the thread answers: a message is composed there, because it cannot hand over a function. */
export type Answer = ProviderReport | (Omit<ProvidedMail, "raw"> & { readonly raw: Uint8Array })

export type ReadPostmark = (body: Uint8Array) => Promise<ProviderReport | ProvidedMail>

/** Reads what Postmark sends without blocking the event loop, which mail with 35 MB of files would do for half a second. */
export function createPostmarkReader(): ReadPostmark {
  const threads = createWorkThreads<Uint8Array, Answer>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`This message takes longer than ${limitMs / 1_000} seconds to be read.`),
  })
  return async (body) => {
    if (body.byteLength <= maxAtOnce) return postmarkReport(body)
    // Which project it is for is known when it has been read, so all of Postmark takes turns as one.
    const read = await threads.run(body, "postmark")
    if (!("raw" in read)) return read
    const { raw } = read
    return { ...read, raw: () => raw }
  }
}

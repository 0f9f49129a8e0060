import { fault, invalid } from "../../kernel/errors.ts"
import { createWorkThreads } from "../../kernel/work-threads.ts"
import type { HtmlReading } from "./reader.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_HTML_WORKER: string | undefined
const program = typeof MAILSTEAD_HTML_WORKER === "string" ? MAILSTEAD_HTML_WORKER : "./read-worker.ts"

const limitMs = 15_000

/**
 * Reads long HTML of a project like `readHtml`, without blocking the event loop. Rejects with 422 when it takes longer
 * than 15 seconds.
 */
export function createHtmlThread(): (html: string, projectId: string) => Promise<HtmlReading> {
  const threads = createWorkThreads<string, HtmlReading>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () =>
      invalid([fault("body", "custom", `The HTML takes longer than ${limitMs / 1_000} seconds to be read.`)]),
  })
  return threads.run
}

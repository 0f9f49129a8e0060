import { lowerThreadPriority } from "../../kernel/thread-priority.ts"
import { answerWork } from "../../kernel/work-threads.ts"
import { postmarkReport } from "./postmark.ts"
import type { Answer } from "./postmark-thread.ts"

/** The thread that reads large requests of Postmark for `postmark-thread.ts`. */
declare const self: Worker

lowerThreadPriority(10)

answerWork<Uint8Array>(self, (body): Answer => {
  const found = postmarkReport(body)
  return "raw" in found ? { ...found, raw: found.raw() } : found
})

import { setPriority } from "node:os"
import { answerWork } from "../../kernel/work-threads.ts"
import { postmarkReport } from "./postmark.ts"
import type { ReadAside } from "./postmark-aside.ts"

/** The thread that reads large requests of Postmark for `postmark-aside.ts`. */
declare const self: Worker

if (process.platform === "linux") setPriority(0, 10)

answerWork<Uint8Array>(self, (body): ReadAside => {
  const found = postmarkReport(body)
  return "raw" in found ? { ...found, raw: found.raw() } : found
})

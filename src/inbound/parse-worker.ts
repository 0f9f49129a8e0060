import { lowerThreadPriority } from "../kernel/thread-priority.ts"
import { answerWork } from "../kernel/work-threads.ts"
import { readMessageTexts } from "./message-text.ts"
import { parseMessage } from "./parse.ts"

/** The thread that parses messages for `parse-thread.ts`. */
declare const self: Worker

lowerThreadPriority(10)

answerWork<Uint8Array | readonly Uint8Array[]>(self, (question) =>
  question instanceof Uint8Array ? parseMessage(question) : readMessageTexts(question),
)

import { setPriority } from "node:os"
import { answerWork } from "../kernel/work-threads.ts"
import { parseMessage } from "./parse.ts"

/** The thread that parses large messages for `parse-aside.ts`. */
declare const self: Worker

if (process.platform === "linux") setPriority(0, 10)

answerWork<Uint8Array>(self, parseMessage)

import { answerWork } from "../kernel/work-threads.ts"
import { parseJson } from "./json-parse.ts"

/** The thread that parses large bodies for `json-thread.ts`. */
declare const self: Worker

answerWork<Uint8Array>(self, parseJson)

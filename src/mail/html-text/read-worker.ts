import { answerWork } from "../../kernel/work-threads.ts"
import { createHtmlReader } from "./repeated.ts"

/** The thread that reads long HTML, for `read-thread.ts`. */
declare const self: Worker

answerWork<string>(self, createHtmlReader())

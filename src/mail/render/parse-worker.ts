import { lowerThreadPriority } from "../../kernel/thread-priority.ts"
import { answerWork } from "../../kernel/work-threads.ts"
import { TemplateFault } from "./faults.ts"
import { createFormats } from "./formats.ts"
import { pack } from "./packed.ts"
import type { Answer } from "./parse-thread.ts"
import { parseTemplate, templateOf } from "./template.ts"

/** The thread that reads long templates, for `parse-thread.ts`. */
declare const self: Worker

lowerThreadPriority(10)

const formats = createFormats()

answerWork<string>(self, (source): Answer => {
  try {
    const parsed = parseTemplate(source)
    // Called only for the faults that it throws: a compiled template cannot be sent to another thread.
    templateOf(parsed, source, "html", formats)
    return { packed: pack(parsed) }
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause
    const { message, offset, tooBig } = cause
    return { fault: { message, offset, tooBig } }
  }
})

import { lowerThreadPriority } from "../../kernel/thread-priority.ts"
import { answerWork } from "../../kernel/work-threads.ts"
import { createRenderer } from "../../mail/render/index.ts"
import { type PreviewContent, renderPreview } from "./render-preview.ts"

/** The thread that renders long previews, for `preview.ts`. */
declare const self: Worker

lowerThreadPriority(10)

answerWork<PreviewContent>(self, (content) => renderPreview(createRenderer(), content))

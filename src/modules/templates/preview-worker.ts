import { setPriority } from "node:os"
import { answerWork } from "../../kernel/work-threads.ts"
import { createRenderer } from "../../mail/render/index.ts"
import { type PreviewContent, renderPreview } from "./render-preview.ts"

/** The thread that renders long previews, for `preview.ts`. */
declare const self: Worker

if (process.platform === "linux") setPriority(0, 10)

answerWork<PreviewContent>(self, (content) => renderPreview(createRenderer(), content))

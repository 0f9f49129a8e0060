import type { PreviewFor } from "../../parts/content/use-preview.ts"
import { openOnDemand } from "../../ui/on-demand.tsx"
import type { TestContent } from "./test-send.tsx"

/** Opens the dialog that sends a test; its code is loaded on first use. */
export const openTestSend = openOnDemand(
  () => import("./test-send.tsx"),
  (dialog, content: TestContent, filled?: PreviewFor) => dialog.openTestSend(content, filled),
)

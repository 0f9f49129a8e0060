import { openOnDemand } from "../../ui/on-demand.ts"

export const openNewTemplate = openOnDemand(
  () => import("./new-template.tsx"),
  (dialog) => dialog.openNewTemplate(),
)

import { openOnDemand } from "../../ui/on-demand.tsx"

export const openNewTemplate = openOnDemand(
  () => import("./new-template.tsx"),
  (dialog) => dialog.openNewTemplate(),
)

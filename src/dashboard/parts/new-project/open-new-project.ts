import { openOnDemand } from "../../ui/on-demand.ts"

export const openNewProject = openOnDemand(
  () => import("./new-project.tsx"),
  (dialog) => dialog.openNewProject(),
)

import { openOnDemand } from "../../ui/on-demand.tsx"

export const openNewProject = openOnDemand(
  () => import("./new-project.tsx"),
  (dialog) => dialog.openNewProject(),
)

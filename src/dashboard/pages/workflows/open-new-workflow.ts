import { openOnDemand } from "../../ui/on-demand.tsx"

const open = openOnDemand(
  () => import("./new-workflow.tsx"),
  (dialog, recipeId: string | null) => dialog.openNewWorkflow(recipeId),
)

/** The dialog for a new workflow, which begins empty or with a recipe. */
export const openNewWorkflow = (): void => open(null)
export const openRecipe = (id: string): void => open(id)

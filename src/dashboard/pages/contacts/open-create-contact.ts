import { openOnDemand } from "../../ui/on-demand.tsx"

export const openCreateContact = openOnDemand(
  () => import("./create-contact.tsx"),
  (dialog) => dialog.openCreateContact(),
)

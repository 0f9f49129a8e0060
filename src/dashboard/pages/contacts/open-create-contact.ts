import { openOnDemand } from "../../ui/on-demand.ts"

export const openCreateContact = openOnDemand(
  () => import("./create-contact.tsx"),
  (dialog) => dialog.openCreateContact(),
)

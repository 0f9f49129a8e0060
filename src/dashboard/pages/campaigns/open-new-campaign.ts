import { openOnDemand } from "../../ui/on-demand.tsx"

export const openNewCampaign = openOnDemand(
  () => import("./new-campaign.tsx"),
  (dialog) => dialog.openNewCampaign(),
)

import { openOnDemand } from "../../ui/on-demand.ts"

export const openNewCampaign = openOnDemand(
  () => import("./new-campaign.tsx"),
  (dialog) => dialog.openNewCampaign(),
)

export { type CampaignDeps, type Campaigns, createCampaigns } from "./module.ts"
export { isCampaignCancelled } from "./progress-store.ts"
export { type Campaign, campaignTable, campaignTallyTable, campaignWalkTable } from "./table.ts"

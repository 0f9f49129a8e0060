export type { domainsSchema, overviewSchema, topCampaignsSchema, topEventsSchema } from "./document.ts"
export { createAnalytics } from "./module.ts"
export { domainDayTable, eventDayTable } from "./table.ts"

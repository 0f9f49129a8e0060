import type {
  domainsSchema,
  overviewSchema,
  topCampaignsSchema,
  topEventsSchema,
} from "../../modules/analytics/index.ts"
import { queryString, read } from "./http.ts"
import type { Wire } from "./types.ts"

/** Contract B7.2.5. */
export type Overview = Wire<typeof overviewSchema>
export type DayFigures = Overview["days"][number]
type TopCampaigns = Wire<typeof topCampaignsSchema>
type TopEvents = Wire<typeof topEventsSchema>
/** Contract B7.2.6. */
type DomainFigures = Wire<typeof domainsSchema>

/** Days (UTC) such as `2026-01-31`, both included. */
export interface DaySpan {
  readonly startDate: string
  readonly endDate: string
}

const reader =
  <T>(name: string, fixed: object = {}) =>
  (projectId: string, span: DaySpan, signal?: AbortSignal): Promise<T> =>
    read(`/analytics/${name}${queryString({ ...span, ...fixed })}`, { projectId, signal })

export const getOverview = reader<Overview>("overview")
export const listTopCampaigns = reader<TopCampaigns>("top-campaigns")
export const listTopEvents = reader<TopEvents>("top-events", { limit: 10 })
export const listDomains = reader<DomainFigures>("domains")

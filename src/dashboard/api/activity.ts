import type { activitySchema, typesSchema, upcomingSchema } from "../../modules/activity/index.ts"
import { queryString, read } from "./http.ts"
import type { CursorPage, Wire } from "./types.ts"

/** Contract B7.1.0. */
export type Activity = Wire<typeof activitySchema>

/** What of the feed is listed; `""` does not filter. */
export interface ActivityFilter {
  /** Separated by commas. */
  readonly types: string
  readonly contactId: string
  /** ISO times; both are included in the period. */
  readonly startDate: string
  readonly endDate: string
}

export const allActivity: ActivityFilter = { types: "", contactId: "", startDate: "", endDate: "" }

/** The whole history of a contact; without a start, the list would cover the last 30 days. */
export const activityOf = (contactId: string): ActivityFilter => ({
  ...allActivity,
  contactId,
  startDate: "1970-01-01",
})

interface ActivityQuery extends ActivityFilter {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The newest first. */
export const listActivity = (
  projectId: string,
  query: ActivityQuery,
  signal?: AbortSignal,
): Promise<CursorPage<Activity>> => read(`/activity${queryString({ ...query })}`, { projectId, signal })

export const listActivityTypes = async (projectId: string, signal?: AbortSignal): Promise<readonly string[]> =>
  (await read<Wire<typeof typesSchema>>("/activity/types", { projectId, signal })).types

/** What is planned, soonest first. */
export const listUpcoming = async (projectId: string, signal?: AbortSignal): Promise<readonly Activity[]> =>
  (await read<Wire<typeof upcomingSchema>>("/activity/upcoming?limit=10", { projectId, signal })).activities

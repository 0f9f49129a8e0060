import type {
  deletedEventsSchema,
  eventCountsSchema,
  eventSchema,
  eventUsageSchema,
  namesSchema,
} from "../../modules/events/index.ts"
import { queryString, read } from "./http.ts"
import type { CursorPage, Wire } from "./types.ts"

/** Contract B4.1. */
export type RecordedEvent = Wire<typeof eventSchema>
/** How often events of each name occur. */
type NameCounts = Wire<typeof eventCountsSchema>
/** Contract B4.2.7. */
export type EventUsage = Wire<typeof eventUsageSchema>

interface EventQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Which events are listed; `""` does not filter. */
export interface EventFilter {
  readonly eventName: string
  readonly contactId: string
  /** ISO times; both are included in the period. */
  readonly startDate: string
  readonly endDate: string
}

export const everyEvent: EventFilter = { eventName: "", contactId: "", startDate: "", endDate: "" }

const path = (name: string): string => `/events/${encodeURIComponent(name)}`

/** The newest first: all, or those of one name. */
export const listEvents = (
  projectId: string,
  query: EventQuery & EventFilter,
  signal?: AbortSignal,
): Promise<CursorPage<RecordedEvent>> => read(`/events${queryString({ ...query })}`, { projectId, signal })

export const listEventsOf = (
  projectId: string,
  contactId: string,
  query: EventQuery,
  signal?: AbortSignal,
): Promise<CursorPage<RecordedEvent>> =>
  read(`/events/contact/${encodeURIComponent(contactId)}${queryString({ ...query })}`, { projectId, signal })

/** How often each name occurs, the most frequent first; in a period if its ends (ISO) are given. */
export const countEvents = (
  projectId: string,
  period: { readonly startDate?: string; readonly endDate?: string } = {},
  signal?: AbortSignal,
): Promise<NameCounts> => read(`/events/stats${queryString({ ...period })}`, { projectId, signal })

export const getEventUsage = (projectId: string, name: string, signal?: AbortSignal): Promise<EventUsage> =>
  read(`${path(name)}/usage`, { projectId, signal })

export const deleteEvents = (projectId: string, name: string): Promise<Wire<typeof deletedEventsSchema>> =>
  read(path(name), { projectId, method: "DELETE" })

export const listEventNames = async (projectId: string, signal?: AbortSignal): Promise<readonly string[]> =>
  (await read<Wire<typeof namesSchema>>("/events/names", { projectId, signal })).eventNames

import { queryString, read } from "./http.ts"
import type { CursorPage, Data } from "./wire.ts"

/** Contract B4.1. */
export interface RecordedEvent {
  readonly id: string
  readonly name: string
  readonly data: Data
  readonly contactId: string | null
  readonly emailId: string | null
  readonly createdAt: string
  readonly contact: { readonly id: string; readonly email: string } | null
}

export interface NameCount {
  readonly name: string
  readonly count: number
}

interface NamedUse {
  readonly id: string
  readonly name: string
}

/** Contract B4.2.7. */
export interface EventUsage {
  readonly usedInSegments: readonly NamedUse[]
  readonly usedInWorkflows: readonly NamedUse[]
  readonly totalCount: number
  readonly uniqueContacts: number
  readonly canDelete: boolean
}

export interface EventQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

const path = (name: string): string => `/events/${encodeURIComponent(name)}`

/** The newest first: all, or those of one name. */
export const listEvents = (
  projectId: string,
  query: EventQuery & { readonly eventName: string },
  signal?: AbortSignal,
): Promise<CursorPage<RecordedEvent>> => read(`/events${queryString({ ...query })}`, { projectId, signal })

export const listEventsOf = (
  projectId: string,
  contactId: string,
  query: EventQuery,
  signal?: AbortSignal,
): Promise<CursorPage<RecordedEvent>> =>
  read(`/events/contact/${encodeURIComponent(contactId)}${queryString({ ...query })}`, { projectId, signal })

/** How often each name occurs, the most frequent first; of a stretch of time when its ends (ISO) are given. */
export const countEvents = (
  projectId: string,
  period: { readonly startDate?: string; readonly endDate?: string } = {},
  signal?: AbortSignal,
): Promise<readonly NameCount[]> => read(`/events/stats${queryString({ ...period })}`, { projectId, signal })

export const getEventUsage = (projectId: string, name: string, signal?: AbortSignal): Promise<EventUsage> =>
  read(`${path(name)}/usage`, { projectId, signal })

export const deleteEvents = (projectId: string, name: string): Promise<{ readonly deletedCount: number }> =>
  read(path(name), { projectId, method: "DELETE" })

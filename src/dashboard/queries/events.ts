import { type QueryClient, type QueryKey, useQueries, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { countEvents, type EventFilter, getEventUsage, listEvents, listEventsOf } from "../api/events.ts"
import { useSession } from "../context/session.ts"
import { lastDays } from "./days.ts"
import { isOnFirstPage, usePages } from "./pages.ts"

const pageSize = 40
/** How often new events are polled for while only the first page is loaded, in ms. */
const pollEvery = 5_000

const keyOf = (projectId: string, ...parts: readonly unknown[]): QueryKey => ["events", projectId, ...parts]

/** Recent events, page after page; new ones are polled for while only the first page is loaded. */
export function useEvents(filter: EventFilter) {
  const projectId = useSession().project.id
  return usePages({
    queryKey: keyOf(projectId, "list", filter),
    load: (cursor, signal) => listEvents(projectId, { limit: pageSize, cursor, ...filter }, signal),
    refetchInterval: ({ state }) => (isOnFirstPage(state.data) ? pollEvery : false),
  })
}

/** The events of a contact, page after page. */
export function useEventsOf(contactId: string) {
  const projectId = useSession().project.id
  return usePages({
    queryKey: keyOf(projectId, "contact", contactId),
    load: (cursor, signal) => listEventsOf(projectId, contactId, { limit: pageSize, cursor }, signal),
  })
}

/** Every name with its total count, the most frequent first. */
export function useNames() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: keyOf(projectId, "names"),
    queryFn: ({ signal }) => countEvents(projectId, {}, signal),
    staleTime: 10_000,
  })
}

/** The counts of each name on each of the last days, the oldest first; undefined until all are known, null if they cannot be. */
export function useTrend(today: number): ReadonlyMap<string, readonly number[]> | null | undefined {
  const projectId = useSession().project.id
  const days = useMemo(() => lastDays(today), [today])
  return useQueries({
    queries: days.map((period) => ({
      queryKey: keyOf(projectId, "day", period),
      queryFn: ({ signal }: { signal: AbortSignal }) => countEvents(projectId, period, signal),
      // counts of past days change only by a deletion
      staleTime: period.endDate ? Number.POSITIVE_INFINITY : 10_000,
    })),
    combine: (results) => {
      const missing = results.filter(({ data }) => data === undefined)
      if (missing.length > 0) return missing.some(({ isError }) => isError) ? null : undefined
      const trend = new Map<string, number[]>()
      for (const [at, { data = [] }] of results.entries()) {
        for (const { name, count } of data) {
          const counts = trend.get(name) ?? results.map(() => 0)
          counts[at] = count
          trend.set(name, counts)
        }
      }
      return trend
    },
  })
}

export function useUsage(name: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: keyOf(projectId, "usage", name),
    queryFn: ({ signal }) => getEventUsage(projectId, name, signal),
  })
}

/** After a deletion, or on request. */
export const refetchEvents = (client: QueryClient, projectId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(projectId) })

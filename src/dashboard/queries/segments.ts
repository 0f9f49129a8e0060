import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import { listEventNames } from "../api/events.ts"
import { getSegment, listMembers, listSegments, type Segment } from "../api/segments.ts"
import { useSession } from "../context/session.ts"

const listKey = (projectId: string) => ["segments", projectId]
const segmentKey = (projectId: string, id: string) => ["segment", projectId, id]
const membersKey = (projectId: string, id: string) => ["segment-members", projectId, id]

export const memberPageSize = 50

/** All of the project, newest first. */
export function useSegments() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: listKey(projectId),
    queryFn: ({ signal }) => listSegments(projectId, signal),
    staleTime: 10_000,
  })
}

export function useSegment(id: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: segmentKey(projectId, id),
    queryFn: ({ signal }) => getSegment(projectId, id, signal),
    staleTime: 5_000,
  })
}

export function useMembers(id: string, page: number) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...membersKey(projectId, id), page],
    queryFn: ({ signal }) => listMembers(projectId, id, { page, pageSize: memberPageSize }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
}

/** The names of all recorded events, the most frequent first. */
export function useEventNames() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["event-names", projectId],
    queryFn: ({ signal }) => listEventNames(projectId, signal),
    staleTime: 30_000,
  })
}

/** After a segment was created or changed. */
export function cacheSegment(client: QueryClient, projectId: string, segment: Segment): void {
  client.setQueryData(segmentKey(projectId, segment.id), segment)
  client.setQueryData<readonly Segment[]>(listKey(projectId), (list) =>
    list?.map((known) => (known.id === segment.id ? segment : known)),
  )
  void client.invalidateQueries({ queryKey: listKey(projectId) })
  void client.invalidateQueries({ queryKey: membersKey(projectId, segment.id) })
}

/** After its members changed. */
export async function refetchMembers(client: QueryClient, projectId: string, id: string): Promise<void> {
  const keys = [membersKey(projectId, id), segmentKey(projectId, id), listKey(projectId)]
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** After a segment was deleted. */
export function dropSegment(client: QueryClient, projectId: string, id: string): void {
  client.setQueryData<readonly Segment[]>(listKey(projectId), (list) => list?.filter((known) => known.id !== id))
  client.removeQueries({ queryKey: segmentKey(projectId, id) })
  client.removeQueries({ queryKey: membersKey(projectId, id) })
}

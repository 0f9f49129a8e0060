import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useSession } from "../../../shell/session.tsx"
import { getBulk, getImport, type JobStatus } from "../api.ts"
import { readContactsAgain } from "../queries.ts"

const often = 300

export const isOver = (status: JobStatus): boolean => status === "completed" || status === "failed"

export const useImportJob = (id: string) => useFollowed("import", id, getImport)
export const useBulkJob = (id: string) => useFollowed("bulk", id, getBulk)

/** Asks for a job until it is over; then the contacts are no longer what is known of them. */
function useFollowed<T extends { readonly status: JobStatus }>(
  kind: string,
  id: string,
  get: (projectId: string, id: string, signal?: AbortSignal) => Promise<T>,
) {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ["job", kind, projectId, id],
    queryFn: ({ signal }) => get(projectId, id, signal),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : often),
    staleTime: ({ state }) => (state.data && isOver(state.data.status) ? Number.POSITIVE_INFINITY : 0),
    // a job goes on while nobody looks
    refetchIntervalInBackground: true,
  })
  const over = query.data ? isOver(query.data.status) : false
  const wasRunning = useRef(false)
  useEffect(() => {
    if (!over) wasRunning.current = true
    else if (wasRunning.current) {
      wasRunning.current = false
      void readContactsAgain(client, projectId)
    }
  }, [over, client, projectId])
  return { query, over }
}

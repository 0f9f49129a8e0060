import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { getBulk, getImport, type ImportJob, type JobStatus } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import { refetchContacts } from "../../../queries/contacts.ts"
import { useJobs } from "./jobs.tsx"

const often = 300

const jobKey = (kind: "import" | "bulk", projectId: string, id: string) => ["job", kind, projectId, id] as const

export const isOver = (status: JobStatus): boolean => status === "completed" || status === "failed"

export const useImportJob = (id: string) => useFollowed("import", id, getImport)
export const useBulkJob = (id: string) => useFollowed("bulk", id, getBulk)

/** Closes the import dialog. A finished job that it showed counts as seen. */
export function useLeaveImport(): () => void {
  const { dialog, dismiss, closeImport } = useJobs()
  const projectId = useSession().project.id
  const client = useQueryClient()
  return () => {
    if (dialog.state === "showing") {
      const job = client.getQueryData<ImportJob>(jobKey("import", projectId, dialog.job.id))
      if (job && isOver(job.status)) dismiss(dialog.job.id)
    }
    closeImport()
  }
}

/** Polls a job until it has ended, and then invalidates the contacts. */
function useFollowed<T extends { readonly status: JobStatus }>(
  kind: "import" | "bulk",
  id: string,
  get: (projectId: string, id: string, signal?: AbortSignal) => Promise<T>,
) {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const query = useQuery({
    queryKey: jobKey(kind, projectId, id),
    queryFn: ({ signal }) => get(projectId, id, signal),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : often),
    staleTime: ({ state }) => (state.data && isOver(state.data.status) ? Number.POSITIVE_INFINITY : 0),
    // a job continues while the tab is in the background
    refetchIntervalInBackground: true,
  })
  const over = query.data ? isOver(query.data.status) : false
  const wasRunning = useRef(false)
  useEffect(() => {
    if (!over) wasRunning.current = true
    else if (wasRunning.current) {
      wasRunning.current = false
      void refetchContacts(client, projectId)
    }
  }, [over, client, projectId])
  return { query, over }
}

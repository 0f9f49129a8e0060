import { type QueryClient, useQuery } from "@tanstack/react-query"
import type { Project } from "../api/instance.ts"
import { getSetupState, listAudit, listProjectMembers } from "../api/projects.ts"
import { useSession } from "../context/session.ts"
import { usePages } from "./pages.ts"

const projectsKey = ["projects"]
const membersKey = (projectId: string) => ["project-members", projectId]

/** The members of the current project, the oldest first. */
export function useProjectMembers() {
  const { id } = useSession().project
  return useQuery({ queryKey: membersKey(id), queryFn: () => listProjectMembers(id), staleTime: 10_000 })
}

export const refetchProjectMembers = (client: QueryClient, projectId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: membersKey(projectId) })

/** The set-up state of the current project. */
export function useSetupState() {
  const { id } = useSession().project
  return useQuery({ queryKey: ["setup-state", id], queryFn: () => getSetupState(id), staleTime: 5_000 })
}

/** The audit log of a project, or of the whole instance for null, page after page. */
export const useAudit = (projectId: string | null) =>
  usePages({ queryKey: ["audit", projectId], load: (cursor) => listAudit(projectId, cursor) })

/** After a project of the user was changed. */
export function cacheProject(client: QueryClient, project: Project): void {
  client.setQueryData<readonly Project[]>(projectsKey, (all) =>
    all?.map((known) => (known.id === project.id ? project : known)),
  )
}

/** After the user left a project or deleted it. */
export function dropProject(client: QueryClient, projectId: string): void {
  client.setQueryData<readonly Project[]>(projectsKey, (all) => all?.filter(({ id }) => id !== projectId))
}

import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import { getUser } from "../api/auth.ts"
import { type Config, getConfig, listProjects } from "../api/instance.ts"

/** Only the pause of sending, after a restore, changes while the server runs. */
export const configQuery = queryOptions({ queryKey: ["config"], queryFn: getConfig, staleTime: 60_000 })

/** The configuration of the server, which is there before any page is. */
export function useConfig(): Config {
  const { data } = useQuery(configQuery)
  if (!data) throw new Error("useConfig before the configuration is loaded")
  return data
}

export const userQuery = queryOptions({ queryKey: ["user"], queryFn: getUser, staleTime: 60_000 })
export const projectsQuery = queryOptions({ queryKey: ["projects"], queryFn: listProjects, staleTime: 10_000 })

/** Reads the projects again, for a part of a page that shows their keys, which others may have replaced. */
export const useProjectsReread = (): void => void useQuery({ ...projectsQuery, staleTime: 0 })

/** Asks at once for everything that the session consists of. */
export const loadSession = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(configQuery), client.prefetchQuery(userQuery), client.prefetchQuery(projectsQuery)])

/** Whether the session has ended; in the query cache, so that any request can set it. */
export const sessionEndKey = ["session-end"]

export const useSessionHasEnded = (): boolean =>
  useQuery({ queryKey: sessionEndKey, queryFn: () => false, enabled: false }).data ?? false

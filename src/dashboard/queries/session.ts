import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { getUser } from "../api/auth.ts"
import { getConfig, listProjects } from "../api/instance.ts"

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: getConfig,
  staleTime: Number.POSITIVE_INFINITY,
})
export const userQuery = queryOptions({ queryKey: ["user"], queryFn: getUser, staleTime: 60_000 })
export const projectsQuery = queryOptions({ queryKey: ["projects"], queryFn: listProjects, staleTime: 10_000 })

/** Asks at once for everything that the session consists of. */
export const loadSession = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(configQuery), client.prefetchQuery(userQuery), client.prefetchQuery(projectsQuery)])

/** Whether the session has ended; in the query cache, so that any request can set it. */
export const sessionEndKey = ["session-end"]

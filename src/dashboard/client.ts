import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query"
import { ApiError, SignedOutError } from "./api/http.ts"
import { projectsQuery, sessionEndKey } from "./queries/session.ts"

/** The server may run on this machine, so requests are made even when the browser believes it is offline. */
const networkMode = "always"

/** Refusals (4xx) are final; only network failures and server errors are retried. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

/** A page that puts a record into the cache and into its own state, as after saving, is rendered with both at once. */
notifyManager.setScheduler(queueMicrotask)

/** Refusals which show that the project, or the user's role in it, has changed since this page was loaded. */
const accessCodes = ["FORBIDDEN", "PROJECT_DISABLED", "PROJECT_ACCESS_DENIED"]

/** Before the first sign-in, queries are refused too; the page itself shows that. */
export function createClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof SignedOutError && client.getQueryData(["user"])) client.setQueryData(sessionEndKey, true)
    if (error instanceof ApiError && accessCodes.includes(error.code))
      void client.invalidateQueries({ queryKey: projectsQuery.queryKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // explicit, because the default of that mode is not to refetch after the network was gone
    defaultOptions: {
      queries: { retry: worthRetrying, networkMode, refetchOnReconnect: true },
      mutations: { networkMode },
    },
  })
  return client
}

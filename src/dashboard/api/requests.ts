import type { requestSchema } from "../../modules/requests/index.ts"
import { queryString, read } from "./http.ts"
import type { CursorPage, Wire } from "./types.ts"

/** Contract B10.7. */
export type LoggedRequest = Wire<typeof requestSchema>

/** The API requests of a project, or of the whole instance for null, newest first; all, or those that failed or not. */
export const listRequests = (
  projectId: string | null,
  failed: boolean | undefined,
  cursor?: string,
): Promise<CursorPage<LoggedRequest>> =>
  read(
    `${projectId === null ? "/instance" : `/projects/${encodeURIComponent(projectId)}`}/requests${queryString({ cursor, failed, limit: 50 })}`,
  )

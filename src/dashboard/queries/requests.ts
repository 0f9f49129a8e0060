import { keepPreviousData } from "@tanstack/react-query"
import { listRequests } from "../api/requests.ts"
import { usePages } from "./pages.ts"

/** The API requests of a project, or of the whole instance for null, page after page. */
export const useRequests = (projectId: string | null, failed: boolean | undefined) =>
  usePages({
    queryKey: ["requests", projectId, failed],
    load: (cursor) => listRequests(projectId, failed, cursor),
    placeholderData: keepPreviousData,
  })

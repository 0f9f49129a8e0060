import { listRequests } from "../api/requests.ts"
import { usePages } from "./pages.ts"

/** The API requests of a project, or of the whole instance for null, page after page. */
export const useRequests = (projectId: string | null) =>
  usePages({ queryKey: ["requests", projectId], load: (cursor) => listRequests(projectId, cursor) })

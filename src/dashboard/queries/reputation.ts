import { useQuery } from "@tanstack/react-query"
import { getSecurityReport } from "../api/reputation.ts"
import { useSession } from "../context/session.ts"

/** Bounces and complaints of the project in view. */
export function useSecurityReport() {
  const { id } = useSession().project
  return useQuery({ queryKey: ["security", id], queryFn: () => getSecurityReport(id) })
}

import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { listContacts } from "../../api/contacts.ts"
import { ApiError, type FieldFault } from "../../api/http.ts"
import { previewCondition } from "../../api/segments.ts"
import { useSession } from "../../context/session.ts"

const pause = 350

/** The contacts that a condition matches now, requested soon after each change. Null is an incomplete condition. */
export function useAudience(condition: unknown) {
  const projectId = useSession().project.id
  const asked = condition === null || condition === undefined ? null : JSON.stringify(condition)
  const [settled] = useDebouncedValue(asked, pause)
  const query = useQuery({
    queryKey: ["audience", projectId, settled],
    queryFn: ({ signal }) => previewCondition(projectId, JSON.parse(settled ?? ""), signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 5_000,
    gcTime: 30_000,
  })
  const refusal = query.error instanceof ApiError && query.error.status === 400 ? query.error : null
  const faults: readonly FieldFault[] = refusal && settled === asked ? refusal.faults : none
  return {
    audience: query.data,
    /** The faults of the condition (contract B2.5), each with its path. */
    faults,
    error: refusal && refusal.faults.length > 0 ? null : query.error,
    /** Whether the result is of an earlier condition. */
    isBehind: settled !== asked || query.isFetching || query.isPlaceholderData,
    retry: () => void query.refetch(),
  }
}

const none: readonly FieldFault[] = []

/** The number of contacts of the project. */
export function useContactTotal(): number | undefined {
  const projectId = useSession().project.id
  const query = useQuery({
    queryKey: ["contact-total", projectId],
    queryFn: ({ signal }) =>
      listContacts(projectId, { search: "", subscribed: null, sort: "createdAt", dir: "desc", limit: 1 }, signal),
    staleTime: 30_000,
  })
  return query.data?.total
}

import { useQuery } from "@tanstack/react-query"
import { findKnown } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import type { Unsubscribed } from "./conversion.ts"

/**
 * Those marked as unsubscribed who are no contacts yet: the import would subscribe them, as it does all that are new
 * (contract A5.16.5). Undefined until known.
 */
export function useResubscribed(marked: readonly Unsubscribed[]): readonly Unsubscribed[] | undefined {
  const projectId = useSession().project.id
  const emails = marked.map(({ email }) => email)
  const { data: known, error } = useQuery({
    queryKey: ["known-contacts", projectId, emails],
    queryFn: ({ signal }) => findKnown(projectId, emails, signal),
    enabled: emails.length > 0,
    gcTime: 0,
  })
  if (emails.length === 0) return []
  // nobody is mailed against their will because the server could not be asked
  if (error) return marked
  return known && marked.filter(({ email }) => !known.has(email))
}

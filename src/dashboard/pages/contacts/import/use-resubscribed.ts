import { useQuery } from "@tanstack/react-query"
import { findKnown } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import type { Unsubscribed } from "./conversion.ts"

/**
 * The rows marked as unsubscribed that are not contacts yet: the import would subscribe them like all new contacts
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
  // if the lookup fails, all of them are treated as not yet contacts
  if (error) return marked
  return known && marked.filter(({ email }) => !known.has(email))
}

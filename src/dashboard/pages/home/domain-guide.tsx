import { useSession } from "../../context/session.ts"
import { Snippet } from "../../ui/snippet.tsx"

/** Domains are added where the server runs. */
export function DomainGuide() {
  const { project } = useSession()
  return <Snippet label="command for a domain" code={`mailstead domain add example.com --project ${project.id}`} />
}

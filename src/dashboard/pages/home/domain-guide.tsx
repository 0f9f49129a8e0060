import { useSession } from "../../context/session.ts"
import { Snippet } from "../../ui/snippet.tsx"

/** Shows how to add a domain on the server. */
export function DomainGuide() {
  const { project } = useSession()
  return <Snippet label="command for a domain" code={`mailstead domain add example.com --project ${project.id}`} />
}

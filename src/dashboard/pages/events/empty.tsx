import { IconBolt } from "@tabler/icons-react"
import { useSession } from "../../context/session.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Snippet } from "../../ui/snippet.tsx"

/** Shown for a project without events: how to send the first one. */
export function NoEvents() {
  const { config, project } = useSession()
  const example = `curl ${config.urls.api}/v1/track \\
  -H "Authorization: Bearer ${project.public}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "email": "ada@example.com",
    "event": "signed_up",
    "data": { "plan": "pro" }
  }'`
  return (
    <EmptyState
      icon={IconBolt}
      title="Nothing happened yet"
      text="Track what people do, and segments and workflows can go by it. What becomes of your mail is recorded here by itself."
    >
      <Snippet label="curl command" code={example} />
    </EmptyState>
  )
}

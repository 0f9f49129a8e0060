import { useSession } from "../../context/session.ts"
import { RequestList } from "../../parts/requests/request-list.tsx"
import { Section, Sections } from "../../ui/section.tsx"

/** The API requests of the project. */
export default function Requests() {
  const { project } = useSession()
  return (
    <Sections>
      <Section
        title="Requests"
        text="What programs and people asked of the API, and how it ended; nothing of its content."
      >
        <RequestList projectId={project.id} />
      </Section>
    </Sections>
  )
}

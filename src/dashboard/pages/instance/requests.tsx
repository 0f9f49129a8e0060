import { RequestList } from "../../parts/requests/request-list.tsx"
import { useInstanceProjects } from "../../queries/instance.ts"
import { Section, Sections } from "../../ui/section.tsx"

/** The API requests of all projects. */
export default function Requests() {
  const { data = [] } = useInstanceProjects()
  return (
    <Sections>
      <Section wide title="Requests" text="Of all projects, with those whose credentials were refused.">
        <RequestList projectId={null} names={new Map(data.map(({ id, name }) => [id, name]))} />
      </Section>
    </Sections>
  )
}

import { useSession } from "../../context/session.ts"
import { AuditList } from "../../parts/audit/audit-list.tsx"
import { Section, Sections } from "../../ui/section.tsx"

/** The audit log of the project. */
export default function Audit() {
  const { project } = useSession()
  return (
    <Sections label="Audit log">
      <Section title="Audit" text="Who changed keys, members and settings, or deleted things. It is kept for a year.">
        <AuditList projectId={project.id} />
      </Section>
    </Sections>
  )
}

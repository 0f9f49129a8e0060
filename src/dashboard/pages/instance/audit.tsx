import { AuditList } from "../../parts/audit/audit-list.tsx"
import { useInstanceProjects } from "../../queries/instance.ts"
import { Section, Sections } from "../../ui/section.tsx"

/** The audit log of all projects and accounts. */
export default function Audit() {
  const { data = [] } = useInstanceProjects()
  return (
    <Sections label="Audit log">
      <Section title="Audit" text="Accounts, keys, members and settings of all projects. It is kept for a year.">
        <AuditList projectId={null} names={new Map(data.map(({ id, name }) => [id, name]))} />
      </Section>
    </Sections>
  )
}

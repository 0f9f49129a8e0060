import { useQuery } from "@tanstack/react-query"
import { getTemplateUsage } from "../../../api/templates.ts"
import { useSession } from "../../../context/session.ts"
import { count } from "../../../ui/format.ts"
import { formatWorkflows } from "../use-template-actions.tsx"
import styles from "./template-editor.module.css"

/** How often a template was sent, and what depends on it. */
export function Usage({ id }: { id: string }) {
  const projectId = useSession().project.id
  const { data, error } = useQuery({
    queryKey: ["template-usage", projectId, id],
    queryFn: () => getTemplateUsage(projectId, id),
    staleTime: 0,
  })
  const sent = data && (data.emailsSent === 0 ? "Never sent" : `Sent in ${count(data.emailsSent, "mail")}`)
  const used = data && data.workflowSteps.length > 0 ? `Used by ${formatWorkflows(data)}` : "Used by no workflow"
  return (
    <p className={styles.usage}>
      {error ? error.message : data ? sent : "…"}
      {data && <span>{used}</span>}
    </p>
  )
}

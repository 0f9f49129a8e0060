import { Skeleton } from "@mantine/core"
import { Link } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { formatReason, statusNames, tones } from "../../parts/workflows/execution-labels.ts"
import { useExecutionsOf } from "../../queries/workflows.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { age } from "../../ui/format.ts"
import status from "../../ui/status.module.css"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./contact-workflows.module.css"

/** The workflows that a contact is or was in, the latest first. */
export function ContactWorkflows({ contact }: { contact: Contact }) {
  const now = useNow()
  const query = useExecutionsOf(contact.id)
  if (query.isPending) return <Skeleton height={44} radius="md" />
  if (query.isError)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  if (query.data.length === 0) return <Notice text={`${contact.email} was in no workflow yet.`} />
  return (
    <ul className={styles.list} aria-label="Workflows">
      {query.data.map((execution) => {
        const where = execution.currentStep?.name ?? formatReason(execution)
        return (
          <li key={execution.id}>
            <Link className={styles.entry ?? ""} href={`/workflows/${execution.workflowId}/executions/${execution.id}`}>
              <span className={styles.texts}>
                <strong dir="auto">{execution.workflow.name}</strong>
                {where !== "" && <small dir="auto">{where}</small>}
              </span>
              <span className={status.status} data-tone={tones[execution.status]}>
                {statusNames[execution.status]}
              </span>
              <When className={styles.when} at={execution.startedAt} now={now} format={age} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

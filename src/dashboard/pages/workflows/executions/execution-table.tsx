import type { Execution } from "../../../api/workflows.ts"
import { formatReason, statusNames, tones } from "../../../parts/workflows/execution-labels.ts"
import { dayTime } from "../../../ui/format.ts"
import status from "../../../ui/status.module.css"
import table from "../../../ui/table.module.css"
import { useNow, When } from "../../../ui/when.tsx"
import styles from "./executions.module.css"

interface ExecutionTableProps {
  executions: readonly Execution[]
  openId: string | undefined
  onOpen(id: string): void
}

export function ExecutionTable({ executions, openId, onOpen }: ExecutionTableProps) {
  const now = useNow()
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Executions">
      <thead>
        <tr>
          <th scope="col" className={styles.contact}>
            Contact
          </th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.where}>
            Where
          </th>
          <th scope="col" className={styles.when}>
            Started
          </th>
        </tr>
      </thead>
      <tbody>
        {executions.map((execution) => (
          <tr
            key={execution.id}
            data-clickable
            aria-current={execution.id === openId || undefined}
            onClick={() => onOpen(execution.id)}
          >
            <td className={styles.contact}>
              <button type="button" className={styles.open} onClick={() => onOpen(execution.id)}>
                {execution.contact.email}
              </button>
            </td>
            <td>
              <span className={status.status} data-tone={tones[execution.status]}>
                {statusNames[execution.status]}
              </span>
            </td>
            <td className={styles.where}>
              <span className={styles.cut}>{execution.currentStep?.name ?? formatReason(execution)}</span>
            </td>
            <td className={styles.when}>
              <When at={execution.startedAt} now={now} format={dayTime} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import { Checkbox } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { Link } from "wouter"
import type { Contact } from "../../../api/contacts.ts"
import { LinkRow } from "../../../list/link-row.tsx"
import { Subscription } from "../../../parts/subscription.tsx"
import { ActionsHeader } from "../../../ui/actions-header.tsx"
import { dayTime } from "../../../ui/format.ts"
import table from "../../../ui/table.module.css"
import { Tool } from "../../../ui/tool.tsx"
import { useNow, When } from "../../../ui/when.tsx"
import styles from "./members.module.css"

interface MemberTableProps {
  members: readonly Contact[]
  /** Addresses. */
  ticked: ReadonlySet<string>
  /** Null where members cannot be selected. */
  onTicked: ((ticked: ReadonlySet<string>) => void) | null
  onRemove: ((email: string) => void) | null
}

export function MemberTable({ members, ticked, onTicked, onRemove }: MemberTableProps) {
  const now = useNow()
  const emails = members.map(({ email }) => email)
  const all = emails.every((email) => ticked.has(email))
  const tick = (email: string, on: boolean) =>
    onTicked?.(new Set(on ? [...ticked, email] : [...ticked].filter((other) => other !== email)))
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Members">
      <thead>
        <tr>
          {onTicked && (
            <th scope="col" className={styles.check}>
              <Checkbox
                size="xs"
                aria-label="Select all on this page"
                checked={all}
                indeterminate={ticked.size > 0 && !all}
                onChange={() => onTicked(ticked.size > 0 ? new Set() : new Set(emails))}
              />
            </th>
          )}
          <th scope="col" className={styles.email}>
            Email
          </th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.added}>
            Contact since
          </th>
          {onRemove && <ActionsHeader />}
        </tr>
      </thead>
      <tbody>
        {members.map(({ id, email, subscribed, createdAt }) => (
          <LinkRow key={id} data-chosen={ticked.has(email) || undefined}>
            {onTicked && (
              <td className={styles.check}>
                <Checkbox
                  size="xs"
                  aria-label={`Select ${email}`}
                  checked={ticked.has(email)}
                  onChange={(event) => tick(email, event.currentTarget.checked)}
                />
              </td>
            )}
            <td className={styles.email}>
              <Link href={`/contacts/${id}`} data-member title={email}>
                {email}
              </Link>
            </td>
            <td>
              <Subscription subscribed={subscribed} />
            </td>
            <td className={`${styles.added} ${table.quiet}`}>
              <When at={createdAt} now={now} format={dayTime} />
            </td>
            {onRemove && (
              <td className={styles.action}>
                <Tool label={`Remove ${email}`} icon={IconX} size="md" run={() => onRemove(email)} />
              </td>
            )}
          </LinkRow>
        ))}
      </tbody>
    </table>
  )
}

import { Checkbox } from "@mantine/core"
import { memo } from "react"
import { Link } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { LinkRow } from "../../list/link-row.tsx"
import { formatValue, type Kind, kindOf } from "../../parts/data/kinds.ts"
import { Subscription } from "../../parts/subscription.tsx"
import { dayTime } from "../../ui/format.ts"
import type { RowProps } from "../../ui/rows-in-view.tsx"
import table from "../../ui/table.module.css"
import { When } from "../../ui/when.tsx"
import styles from "./contact-table.module.css"

interface ContactRowProps {
  row: RowProps
  contact: Contact
  href: string
  columns: readonly string[]
  now: number
  open: boolean
  selected: boolean
  /** The row that Tab reaches; the others are reached from it by the arrow keys. */
  reachable: boolean
  onFocus(id: string): void
  onTick(id: string, selected: boolean, range: boolean): void
}

/** Moves the focus to a contact of the list, which scrolls it into view. */
export function focusContact(id: string): void {
  document.querySelector<HTMLElement>(`[data-contact="${CSS.escape(id)}"]`)?.focus()
}

/** The row of the list that Tab reaches. */
export const reachableContact = (): HTMLElement | null => document.querySelector("[data-contact][tabindex='0']")

export const ContactRow = memo(function ContactRow(props: ContactRowProps) {
  const { row, contact, href, columns, now, open, selected, reachable, onFocus, onTick } = props
  const { id, email, subscribed, data, createdAt } = contact
  const tabIndex = reachable ? 0 : -1
  return (
    <LinkRow {...row} data-chosen={selected || undefined} aria-current={open || undefined}>
      <td className={styles.check}>
        <Checkbox
          size="xs"
          aria-label={`Select ${email}`}
          tabIndex={tabIndex}
          checked={selected}
          onFocus={() => onFocus(id)}
          onChange={(event) => {
            const { nativeEvent } = event
            onTick(id, event.currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }}
        />
      </td>
      <td className={styles.email}>
        <Link href={href} data-contact={id} tabIndex={tabIndex} onFocus={() => onFocus(id)} title={email}>
          {email}
        </Link>
      </td>
      <td className={styles.status}>
        <Subscription subscribed={subscribed} />
      </td>
      {columns.map((key) => (
        <td key={key} className={styles.extra}>
          <Cell value={Object.hasOwn(data, key) ? data[key] : undefined} />
        </td>
      ))}
      <td className={`${styles.extra} ${styles.added}`}>
        <When at={createdAt} now={now} format={dayTime} />
      </td>
    </LinkRow>
  )
})

const looks: Partial<Record<Kind, string | undefined>> = {
  number: styles.number,
  date: styles.date,
  object: styles.code,
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null
  const kind = kindOf(value)
  const text = formatValue(value)
  const look = looks[kind] ?? ""
  return (
    <span dir="auto" className={`${table.cell} ${look}`} title={text.length > 9 ? text : undefined}>
      {text}
    </span>
  )
}

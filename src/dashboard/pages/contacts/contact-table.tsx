import { Checkbox } from "@mantine/core"
import { SortHeader } from "../../list/sort-header.tsx"
import table from "../../ui/table.module.css"
import { useNow } from "../../ui/when.tsx"
import type { Contact } from "../../wire.ts"
import { ContactRow } from "./contact-row.tsx"
import styles from "./contact-table.module.css"
import { type ListView, writeView } from "./list-view.ts"
import { isSelected, nobody, type Selection, withIds } from "./selection.ts"

interface ContactTableProps {
  contacts: readonly Contact[]
  view: ListView
  onView(part: Partial<ListView>): void
  /** Keys of `data` that have a column. */
  columns: readonly string[]
  openId: string | undefined
  cursorId: string | undefined
  onCursor(id: string): void
  selection: Selection
  onSelection(selection: Selection): void
  /** Ticks one, or with `range` all from the one ticked before. */
  onTick(id: string, selected: boolean, range: boolean): void
}

/** The contacts in rows, with columns for some of their fields. */
export function ContactTable(props: ContactTableProps) {
  const { contacts, view, onView, columns, openId, cursorId, onCursor, selection, onSelection, onTick } = props
  const now = useNow()
  const ids = contacts.map(({ id }) => id)
  const ticked = ids.filter((id) => isSelected(selection, id)).length
  const reachable = ids.includes(cursorId ?? "") ? cursorId : ids[0]
  const sorting = { view, onView }
  const query = writeView(view)
  return (
    <table className={`${table.table} ${styles.table}`} data-narrow={openId ? true : undefined} aria-label="Contacts">
      <thead>
        <tr>
          <th scope="col" className={styles.check}>
            <Checkbox
              size="xs"
              aria-label="Select all in the list"
              checked={ticked > 0 && ticked === ids.length}
              indeterminate={ticked > 0 && ticked < ids.length}
              onChange={() => onSelection(ticked > 0 ? nobody : withIds(nobody, ids, true))}
            />
          </th>
          <SortHeader {...sorting} name="Email" by="email" first="asc" className={styles.email} />
          <th scope="col" className={styles.status}>
            Status
          </th>
          {columns.map((key) => (
            <th key={key} scope="col" className={styles.extra}>
              <span className={table.cell} title={key}>
                {key}
              </span>
            </th>
          ))}
          <SortHeader {...sorting} name="Added" by="createdAt" first="desc" className={styles.extra} />
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <ContactRow
            key={contact.id}
            contact={contact}
            href={`/contacts/${contact.id}${query}`}
            columns={columns}
            now={now}
            open={contact.id === openId}
            selected={isSelected(selection, contact.id)}
            reachable={contact.id === reachable}
            onFocus={onCursor}
            onTick={onTick}
          />
        ))}
      </tbody>
    </table>
  )
}

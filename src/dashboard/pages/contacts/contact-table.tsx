import { Checkbox } from "@mantine/core"
import type { CSSProperties } from "react"
import type { Contact, ContactView } from "../../api/contacts.ts"
import { SortHeader } from "../../list/sort-header.tsx"
import { TableRows } from "../../list/table-rows.tsx"
import table from "../../ui/table.module.css"
import { useNow } from "../../ui/when.tsx"
import { ContactRow } from "./contact-row.tsx"
import styles from "./contact-table.module.css"
import { isSelected, nobody, type Selection, withIds } from "./selection.ts"

interface ContactTableProps {
  contacts: readonly Contact[]
  /** Whether the contacts are those of the previous view, until those of this one are loaded. */
  waiting: boolean
  view: ContactView
  onView(part: Partial<ContactView>): void
  /** Keys of `data` that have a column. */
  columns: readonly string[]
  openId: string | undefined
  /** The query string of the address of a contact. */
  rowQuery: string
  cursorId: string | undefined
  onCursor(id: string): void
  selection: Selection
  onSelection(selection: Selection): void
  /** Selects one, or with `range` all from the previously selected one. */
  onTick(id: string, selected: boolean, range: boolean): void
}

/** The contacts in rows, with columns for some of their fields. */
export function ContactTable(props: ContactTableProps) {
  const {
    contacts,
    waiting,
    view,
    onView,
    columns,
    openId,
    rowQuery,
    cursorId,
    onCursor,
    selection,
    onSelection,
    onTick,
  } = props
  const now = useNow()
  const ids = contacts.map(({ id }) => id)
  const ticked = ids.filter((id) => isSelected(selection, id)).length
  const reachable = ids.includes(cursorId ?? "") ? cursorId : ids[0]
  const sorting = { view, onView }
  return (
    <table
      className={`${table.table} ${styles.table}`}
      style={{ "--columns": columns.length } as CSSProperties}
      data-narrow={openId ? true : undefined}
      aria-label="Contacts"
      aria-busy={waiting}
      aria-rowcount={contacts.length + 1}
    >
      <thead>
        <tr>
          <th scope="col" className={styles.check}>
            <Checkbox
              size="xs"
              aria-label="Select all in the list"
              disabled={waiting}
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
      <TableRows
        inert={waiting}
        ids={ids}
        height={44}
        cursor={cursorId}
        row={(index, row) => {
          const contact = contacts[index]
          return (
            contact && (
              <ContactRow
                row={row}
                key={contact.id}
                contact={contact}
                href={`/contacts/${contact.id}${rowQuery}`}
                columns={columns}
                now={now}
                open={contact.id === openId}
                selected={isSelected(selection, contact.id)}
                reachable={contact.id === reachable}
                onFocus={onCursor}
                onTick={onTick}
              />
            )
          )
        }}
      />
    </table>
  )
}

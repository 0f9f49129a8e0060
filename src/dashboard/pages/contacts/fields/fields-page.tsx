import { Button, Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconForms, IconUpload } from "@tabler/icons-react"
import { useState } from "react"
import type { Field } from "../../../api/contacts.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useIsReadOnly } from "../../../context/session.ts"
import { rowToggleCommands } from "../../../list/row-toggle-commands.ts"
import { type TableRowProps, TableRows } from "../../../list/table-rows.tsx"
import { PageHead } from "../../../parts/page-head.tsx"
import { useFields, useTotal } from "../../../queries/contacts.ts"
import { ActionsHeader } from "../../../ui/actions-header.tsx"
import { EmptyState, Notice } from "../../../ui/empty-state.tsx"
import { count } from "../../../ui/format.ts"
import { useFocusKept } from "../../../ui/keep-focus.ts"
import { SearchField } from "../../../ui/search-field.tsx"
import table from "../../../ui/table.module.css"
import { useLocalSearch } from "../../../ui/use-local-search.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { navItems } from "../nav-items.ts"
import { FieldEntry } from "./field-entry.tsx"
import { nameOf } from "./field-name.ts"
import styles from "./fields-page.module.css"

/** With more fields than this there is a search. */
const inView = 12

/** The height of a closed field, in px. */
const rowHeight = 45

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

/** The catalogue of fields with their types and the number of contacts that have them. */
export default function FieldsPage() {
  const query = useFields()
  const total = useTotal(query.data?.some(({ coverage }) => coverage === 0) ?? false)
  const isReadOnly = useIsReadOnly()
  const { openImport } = useJobs()
  const [open, setOpen] = useState<string | null>(null)
  const kept = useFocusKept<HTMLElement>("tr")
  const rows = kept.ref
  const custom =
    query.data?.filter(({ isCustom }) => isCustom).sort((a, b) => names.compare(nameOf(a), nameOf(b))) ?? []
  const core = query.data?.filter(({ isCustom }) => !isCustom) ?? []
  const isMany = custom.length > inView
  const search = useLocalSearch([...custom, ...core], nameOf)
  const shown = isMany ? search.found : [...custom, ...core]
  const found = shown.filter(({ isCustom }) => isCustom)
  const foundCore = shown.filter(({ isCustom }) => !isCustom)
  useDocumentTitle("Fields · Mailstead")
  useCommands(
    rowToggleCommands({
      rows,
      refresh: () => void query.refetch(),
      search: isMany ? { label: "Search", field: search.field.fieldRef } : undefined,
    }),
  )

  const toggleOf = (field: Field | undefined) =>
    field ? (rows.current?.querySelector<HTMLElement>(`[data-toggle="${CSS.escape(field.field)}"]`) ?? null) : null
  // The headings of the columns, and that of the fields that every contact has.
  const rowCount = 1 + found.length + (foundCore.length > 0 ? 1 + foundCore.length : 0)
  const rowsOf = (fields: readonly Field[]) => ({
    ids: fields.map(({ field }) => field),
    height: rowHeight,
    row: (index: number, props: TableRowProps) => {
      const field = fields[index] as Field
      return (
        <FieldEntry
          row={props}
          field={field}
          total={total}
          open={open === field.field}
          onToggle={() => setOpen(open === field.field ? null : field.field)}
          next={() => toggleOf(fields[index + 1] ?? fields[index - 1])}
        />
      )
    },
  })

  return (
    <main className={styles.page}>
      <PageHead
        title="Contacts"
        summary={query.data ? count(custom.length, "custom field") : ""}
        items={navItems("/contacts/fields")}
      />
      {query.isPending ? (
        <div className={styles.lead}>
          <Skeleton height={12} width="60%" />
        </div>
      ) : query.isError && !query.data ? (
        <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
      ) : custom.length === 0 ? (
        <EmptyState
          icon={IconForms}
          title="No custom fields yet"
          text="A field comes into being with the first value: in the data of a contact, of a tracked event or a sent mail, or as a column of an import. Templates use it as a variable."
          actions={
            <Button
              leftSection={<IconUpload size={16} stroke={1.7} />}
              disabled={isReadOnly}
              onClick={() => openImport()}
            >
              Import a CSV file
            </Button>
          }
        />
      ) : (
        <section {...kept} className={styles.scroll} aria-label="Fields">
          <p className={styles.lead}>
            Every key that was ever stored is a field. Its first value fixes its type; templates reach it as{" "}
            <code>{"{{name}}"}</code>.
          </p>
          {isMany && (
            <SearchField
              className={styles.search}
              label="Search fields"
              placeholder="Part of a name"
              {...search.field}
            />
          )}
          <table className={`${table.table} ${styles.table}`} aria-label="Fields" aria-rowcount={rowCount}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col" className={styles.typeCell}>
                  Type
                </th>
                <th scope="col">Contacts that have it</th>
                <ActionsHeader />
              </tr>
            </thead>
            <TableRows {...rowsOf(found)} />
            {foundCore.length > 0 && (
              <TableRows {...rowsOf(foundCore)}>
                <tr className={styles.group}>
                  <th scope="rowgroup" colSpan={4}>
                    Every contact has
                  </th>
                </tr>
              </TableRows>
            )}
          </table>
          {shown.length === 0 && <Notice text="No field matches." action="Show all fields" onAction={search.clear} />}
        </section>
      )}
    </main>
  )
}

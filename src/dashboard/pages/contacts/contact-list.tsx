import { Button, SegmentedControl, Skeleton } from "@mantine/core"
import { IconPlus, IconUpload, IconUsers } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Contact } from "../../api/contacts.ts"
import { useIsReadOnly, useSession } from "../../context/session.ts"
import { PageHead } from "../../parts/page-head.tsx"
import { keyOf } from "../../parts/send-guide/send-examples.ts"
import type { useContacts } from "../../queries/contacts.ts"
import { EmptyState, Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { useFocusKept } from "../../ui/keep-focus.ts"
import { More } from "../../ui/more.tsx"
import { SearchField } from "../../ui/search-field.tsx"
import { Snippet } from "../../ui/snippet.tsx"
import { BulkBar } from "./bulk-bar.tsx"
import { ColumnsMenu, useColumns } from "./columns.tsx"
import { ContactTable } from "./contact-table.tsx"
import styles from "./contacts-page.module.css"
import { useJobs } from "./jobs/jobs.tsx"
import { isFiltered, type useListView } from "./list-view.ts"
import { navItems } from "./nav-items.ts"
import { openCreateContact } from "./open-create-contact.ts"
import { OrderMenu } from "./order-menu.tsx"
import { countOf } from "./selection.ts"
import type { useSelection } from "./use-selection.ts"

interface ContactListProps {
  list: ReturnType<typeof useListView>
  query: ReturnType<typeof useContacts>["query"]
  contacts: readonly Contact[]
  total: number
  selection: ReturnType<typeof useSelection>
  openId: string | undefined
  /** The query string of the address of a contact. */
  rowQuery: string
  cursorId: string | undefined
  onCursor(id: string): void
  searchRef: RefObject<HTMLInputElement | null>
}

const states = [
  { value: "all", label: "All" },
  { value: "true", label: "Subscribed" },
  { value: "false", label: "Unsubscribed" },
]

/** The head of the list, its search and filter or the bulk actions, and the rows. */
export function ContactList(props: ContactListProps) {
  const { list, query, contacts, total, selection, openId, rowQuery, cursorId, onCursor, searchRef } = props
  const { view } = list
  const { openImport } = useJobs()
  const columns = useColumns()
  const kept = useFocusKept<HTMLElement>("tr")
  const waiting = query.isPlaceholderData
  const nothing = query.isSuccess && !waiting && contacts.length === 0 && !isFiltered(view)
  const isReadOnly = useIsReadOnly()
  const summary = isFiltered(view) ? `${total.toLocaleString("en")} found` : total > 0 ? count(total, "contact") : ""
  return (
    <>
      <PageHead title="Contacts" summary={query.isSuccess && !waiting ? summary : ""} items={navItems("/contacts")}>
        {!nothing && (
          <>
            <Button
              variant="default"
              size="xs"
              h={32}
              aria-label="Import"
              disabled={isReadOnly}
              onClick={() => openImport()}
            >
              <IconUpload size={15} stroke={1.7} />
              <span className={styles.roomy}>&nbsp;&nbsp;Import</span>
            </Button>
            <Button
              size="xs"
              h={32}
              leftSection={<IconPlus size={15} stroke={1.9} />}
              disabled={isReadOnly}
              onClick={openCreateContact}
            >
              Add<span className={styles.wide}>&nbsp;contact</span>
            </Button>
          </>
        )}
      </PageHead>
      {nothing ? (
        <NoContacts />
      ) : (
        <>
          <div className={styles.tools}>
            {countOf(selection.selection, total) > 0 ? (
              <BulkBar
                selection={selection.selection}
                onSelection={selection.select}
                filter={view}
                total={total}
                waiting={waiting}
              />
            ) : (
              <>
                <SearchField
                  className={styles.search}
                  label="Search contacts"
                  placeholder="Part of an address or value"
                  value={list.text}
                  onChange={list.setText}
                  fieldRef={searchRef}
                />
                <span className={styles.order}>
                  <OrderMenu view={view} onView={list.change} />
                </span>
                <SegmentedControl
                  size="xs"
                  aria-label="Subscription"
                  data={states}
                  value={String(view.subscribed ?? "all")}
                  onChange={(value) => list.change({ subscribed: value === "all" ? null : value === "true" })}
                />
                <span className={`${styles.wide} ${styles.columns}`}>
                  <ColumnsMenu {...columns} />
                </span>
              </>
            )}
          </div>
          <section {...kept} className={styles.scroll} aria-label="Contacts" data-contact-list>
            {query.isError && contacts.length === 0 ? (
              <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
            ) : query.isPending || (waiting && contacts.length === 0) ? (
              <RowsSkeleton />
            ) : contacts.length === 0 ? (
              <Notice text="No contact matches." action="Show all contacts" onAction={list.clear} />
            ) : (
              <ContactTable
                contacts={contacts}
                waiting={waiting}
                view={view}
                onView={list.change}
                columns={columns.shown}
                openId={openId}
                rowQuery={rowQuery}
                cursorId={cursorId}
                onCursor={onCursor}
                selection={selection.selection}
                onSelection={selection.select}
                onTick={selection.tick}
              />
            )}
            {query.hasNextPage && (
              <More
                label="More contacts"
                loading={query.isFetchingNextPage}
                failed={query.isFetchNextPageError}
                load={() => void query.fetchNextPage()}
              />
            )}
          </section>
        </>
      )}
    </>
  )
}

function NoContacts() {
  const { config, project } = useSession()
  const isReadOnly = useIsReadOnly()
  const { openImport } = useJobs()
  const example = `curl ${config.urls.api}/contacts \\
  -H "Authorization: Bearer ${keyOf(project)}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "email": "ada@example.com",
    "data": { "firstName": "Ada", "plan": "pro" }
  }'`
  return (
    <EmptyState
      icon={IconUsers}
      title="Nobody here yet"
      text="Whoever you send to or track becomes a contact by itself. Or bring them along in a CSV file."
      actions={
        <>
          <Button
            leftSection={<IconUpload size={16} stroke={1.7} />}
            disabled={isReadOnly}
            onClick={() => openImport()}
          >
            Import a CSV file
          </Button>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.7} />}
            disabled={isReadOnly}
            onClick={openCreateContact}
          >
            Add a contact
          </Button>
        </>
      }
    >
      <Snippet label="curl command" code={example} />
    </EmptyState>
  )
}

function RowsSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[34, 28, 40, 31, 37, 25, 33].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}

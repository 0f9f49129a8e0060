import { Button, NativeSelect, Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconChevronLeft, IconChevronRight, IconPlus, IconTemplate } from "@tabler/icons-react"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useCommands } from "../../shell/commands.tsx"
import { EmptyState, Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { PageHead } from "../../ui/page-head.tsx"
import { SearchField } from "../../ui/search-field.tsx"
import { Tool } from "../../ui/tool.tsx"
import { mailTypes } from "../../wire.ts"
import type { TemplatePage, TemplateQuery } from "./api.ts"
import { listCommands } from "./list-commands.ts"
import { useTemplateView } from "./list-view.ts"
import { openNewTemplate } from "./new-template.tsx"
import { useTemplates } from "./queries.ts"
import { TemplateTable } from "./template-table.tsx"
import styles from "./templates-page.module.css"
import { typeNames } from "./types.ts"

/** The templates of the project, page by page. */
export function TemplatesPage() {
  const { view, text, setText, change, clear } = useTemplateView()
  const [, go] = useLocation()
  const query = useTemplates(view)
  const searchRef = useRef<HTMLInputElement>(null)
  const rows = useRef<HTMLElement>(null)
  const page = query.data
  const isFiltered = view.search !== "" || view.type !== null
  const turn = (by: 1 | -1) => change({ page: view.page + by })
  const hasNext = page !== undefined && view.page < page.totalPages
  useDocumentTitle("Templates · Posthorn")
  useCommands(
    listCommands({
      rows,
      search: () => searchRef.current?.focus(),
      refresh: () => void query.refetch(),
      open: (id) => go(`/templates/${id}`),
      next: hasNext ? () => turn(1) : undefined,
      previous: view.page > 1 ? () => turn(-1) : undefined,
      clear: text === "" ? undefined : clear,
    }),
  )
  const nothing = page?.total === 0 && !isFiltered && !query.isPlaceholderData
  const summary = !page ? "" : isFiltered ? `${page.total} found` : page.total > 0 ? count(page.total, "template") : ""

  return (
    <main className={styles.page} ref={rows}>
      <PageHead title="Templates" summary={summary}>
        {!nothing && (
          <Button size="xs" h={32} leftSection={<IconPlus size={15} stroke={1.9} />} onClick={openNewTemplate}>
            New<span className={styles.wide}>&nbsp;template</span>
          </Button>
        )}
      </PageHead>
      {nothing ? (
        <EmptyState
          icon={IconTemplate}
          title="Write it once, send it often"
          text="A template holds the subject and the HTML of a mail, with variables such as {{firstName}} in it. Programs name it when they send, and workflows send it by themselves."
          actions={
            <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={openNewTemplate}>
              New template
            </Button>
          }
        />
      ) : (
        <>
          <div className={styles.tools}>
            <SearchField
              className={styles.search}
              label="Search templates"
              placeholder="Name, note or subject"
              value={text}
              onChange={setText}
              fieldRef={searchRef}
            />
            <NativeSelect
              aria-label="Type"
              size="sm"
              data={[
                { value: "", label: "Every type" },
                ...mailTypes.map((value) => ({ value, label: typeNames[value] })),
              ]}
              value={view.type ?? ""}
              onChange={({ currentTarget: { value } }) =>
                change({ type: mailTypes.find((type) => type === value) ?? null })
              }
            />
          </div>
          <section className={styles.scroll} aria-label="Templates">
            {query.isError && !page ? (
              <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
            ) : !page ? (
              <Ghost />
            ) : page.data.length > 0 ? (
              <TemplateTable templates={page.data} view={view} onView={change} />
            ) : page.total > 0 ? (
              <Notice text="There is no such page." action="Back to the first" onAction={() => change({ page: 1 })} />
            ) : (
              <Notice text="No template matches." action="Show all templates" onAction={clear} />
            )}
          </section>
          {page && page.totalPages > 1 && (
            <footer className={styles.foot}>
              <span>{range(page, view)}</span>
              <span className={styles.steps}>
                <Tool
                  label="Previous page"
                  icon={IconChevronLeft}
                  size="md"
                  run={view.page > 1 ? () => turn(-1) : undefined}
                />
                <Tool label="Next page" icon={IconChevronRight} size="md" run={hasNext ? () => turn(1) : undefined} />
              </span>
            </footer>
          )}
        </>
      )}
    </main>
  )
}

function range({ data, total }: TemplatePage, { page, pageSize }: TemplateQuery): string {
  const first = (page - 1) * pageSize + 1
  return data.length === 0 ? `of ${total}` : `${first} to ${first + data.length - 1} of ${total.toLocaleString("en")}`
}

function Ghost() {
  return (
    <div className={styles.ghost} aria-hidden="true">
      {[46, 38, 52, 41, 35].map((width) => (
        <Skeleton key={width} height={13} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}

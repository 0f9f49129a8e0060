import { Button, NativeSelect } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconPlus, IconTemplate } from "@tabler/icons-react"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useCommands } from "../../shell/commands.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { mailTypes } from "../../wire.ts"
import { listCommands } from "./list-commands.ts"
import { useTemplateView } from "./list-view.ts"
import { openNewTemplate } from "./new-template.tsx"
import { useTemplates } from "./queries.ts"
import { TemplateTable } from "./template-table.tsx"
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
  const turnTo = (to: number) => change({ page: to })
  const hasNext = page !== undefined && view.page < page.totalPages
  useDocumentTitle("Templates · Posthorn")
  useCommands(
    listCommands({
      rows,
      search: () => searchRef.current?.focus(),
      refresh: () => void query.refetch(),
      open: (id) => go(`/templates/${id}`),
      next: hasNext ? () => turnTo(view.page + 1) : undefined,
      previous: view.page > 1 ? () => turnTo(view.page - 1) : undefined,
      clear: text === "" ? undefined : clear,
    }),
  )
  const nothing = page?.total === 0 && !isFiltered && !query.isPlaceholderData
  const summary = !page ? "" : isFiltered ? `${page.total} found` : page.total > 0 ? count(page.total, "template") : ""

  return (
    <ListPage
      title="Templates"
      noun="template"
      summary={summary}
      onNew={openNewTemplate}
      empty={
        nothing ? (
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
        ) : null
      }
      search={{ text, placeholder: "Name, note or subject", fieldRef: searchRef, onText: setText }}
      filters={
        <NativeSelect
          aria-label="Type"
          size="sm"
          data={[{ value: "", label: "Every type" }, ...mailTypes.map((value) => ({ value, label: typeNames[value] }))]}
          value={view.type ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change({ type: mailTypes.find((type) => type === value) ?? null })
          }
        />
      }
      error={query.error}
      onRetry={() => void query.refetch()}
      found={page?.data.length}
      onClear={clear}
      rowsRef={rows}
      paging={page && { ...page, page: view.page, pageSize: view.pageSize, onPage: turnTo }}
    >
      {page && <TemplateTable templates={page.data} view={view} onView={change} />}
    </ListPage>
  )
}

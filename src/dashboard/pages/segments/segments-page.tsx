import { Button, NativeSelect } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconPlus, IconUsersGroup } from "@tabler/icons-react"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useCommands } from "../../shell/commands.tsx"
import { useSession } from "../../shell/session.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { Snippet } from "../../ui/snippet.tsx"
import { keyOf } from "../inbox/send-examples.ts"
import { listCommands } from "./list-commands.ts"
import { inView, isFiltered, useSegmentView } from "./list-view.ts"
import { useSegments } from "./queries.ts"
import { SegmentTable } from "./segment-table.tsx"

const kinds = [
  { value: "", label: "Every kind" },
  { value: "DYNAMIC", label: "Conditions" },
  { value: "STATIC", label: "Lists" },
]

/** The segments of the project. */
export function SegmentsPage() {
  const { view, text, setText, change, clear } = useSegmentView()
  const [, go] = useLocation()
  const query = useSegments()
  const searchRef = useRef<HTMLInputElement>(null)
  const rows = useRef<HTMLElement>(null)
  const all = query.data
  const shown = all && inView(all, view)
  const names = new Map(all?.map(({ id, name }) => [id, name]))
  const create = () => go("/segments/new")
  useDocumentTitle("Segments · Posthorn")
  useCommands(
    listCommands({
      rows,
      search: () => searchRef.current?.focus(),
      refresh: () => void query.refetch(),
      open: (id) => go(`/segments/${id}`),
      clear: isFiltered(view) ? clear : undefined,
    }),
  )
  const nothing = all?.length === 0
  const summary = !all || nothing ? "" : isFiltered(view) ? `${shown?.length} found` : count(all.length, "segment")

  return (
    <ListPage
      title="Segments"
      noun="segment"
      summary={summary}
      onNew={create}
      empty={nothing ? <NoSegments onCreate={create} /> : null}
      search={{ text, placeholder: "Name or note", fieldRef: searchRef, onText: setText }}
      filters={
        <NativeSelect
          aria-label="Kind"
          size="sm"
          data={kinds}
          value={view.type ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change({ type: value === "DYNAMIC" || value === "STATIC" ? value : null })
          }
        />
      }
      error={query.error}
      onRetry={() => void query.refetch()}
      found={shown?.length}
      onClear={clear}
      rowsRef={rows}
    >
      {shown && <SegmentTable segments={shown} nameOf={(id) => names.get(id) ?? null} view={view} onView={change} />}
    </ListPage>
  )
}

function NoSegments({ onCreate }: { onCreate(): void }) {
  const { config, project } = useSession()
  const example = `curl ${config.urls.api}/segments \\
  -H "Authorization: Bearer ${keyOf(project)}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "name": "Opened lately",
    "condition": { "logic": "AND", "groups": [ { "filters": [
      { "field": "subscribed", "operator": "equals", "value": true },
      { "field": "email.opened", "operator": "triggeredWithin", "value": 30, "unit": "days" }
    ] } ] }
  }'`
  return (
    <EmptyState
      icon={IconUsersGroup}
      title="Who belongs together?"
      text="A segment is everybody who matches your conditions now, by their fields, events and mail, or a list that you keep by hand. Campaigns go to segments, and workflows start when somebody joins or leaves one."
      actions={
        <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={onCreate}>
          New segment
        </Button>
      }
    >
      <Snippet label="curl command" code={example} />
    </EmptyState>
  )
}

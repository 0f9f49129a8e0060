import { IconUsersGroup } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { useSession } from "../../context/session.ts"
import { FilterField } from "../../list/filter-field.tsx"
import { ListPage, onePage } from "../../list/list-page.tsx"
import { useListView } from "../../list/list-view.ts"
import { keyOf } from "../../parts/send-guide/send-examples.ts"
import { useSegments } from "../../queries/segments.ts"
import { Snippet } from "../../ui/snippet.tsx"
import { inView, segmentShape } from "./in-view.ts"
import { SegmentTable } from "./segment-table.tsx"

const kindNames = { DYNAMIC: "Conditions", STATIC: "Lists" } as const

/** The segments of the project. */
export default function SegmentsPage() {
  const list = useListView(segmentShape)
  const [, go] = useLocation()
  const query = useSegments()
  const all = query.data
  const shown = all && inView(all, list.view)
  const names = new Map(all?.map(({ id, name }) => [id, name]))
  return (
    <ListPage
      title="Segments"
      noun="segment"
      list={list}
      query={query}
      page={shown && onePage(shown)}
      onNew={() => go("/segments/new")}
      empty={{
        icon: IconUsersGroup,
        title: "Who belongs together?",
        text: "A segment is everybody who matches your conditions now, by their fields, events and mail, or a list that you keep by hand. Campaigns go to segments, and workflows start when somebody joins or leaves one.",
        more: <Example />,
      }}
      searched="Name or note"
      filters={
        <FilterField
          label="Kind"
          every="Every kind"
          names={kindNames}
          value={list.view.type}
          onChange={(type) => list.change({ type })}
        />
      }
    >
      {shown && (
        <SegmentTable segments={shown} nameOf={(id) => names.get(id) ?? null} view={list.view} onView={list.change} />
      )}
    </ListPage>
  )
}

/** The same by API. */
function Example() {
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
  return <Snippet label="curl command" code={example} />
}

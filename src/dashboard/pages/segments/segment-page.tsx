import { lazy } from "react"
import { ItemPage } from "../../list/item-page.tsx"
import { useSegment } from "../../queries/segments.ts"
import { SegmentEditor } from "./editor/segment-editor.tsx"

const ListEditor = lazy(() => import("./members/list-editor.tsx"))

/** One segment in its editor. */
export default function SegmentPage({ id }: { id: string }) {
  return (
    <ItemPage title="Segments" noun="segment" path="/segments" query={useSegment(id)}>
      {(segment) =>
        segment.type === "STATIC" ? <ListEditor segment={segment} /> : <SegmentEditor segment={segment} />
      }
    </ItemPage>
  )
}

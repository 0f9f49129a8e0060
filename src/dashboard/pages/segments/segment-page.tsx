import { ItemPage } from "../../list/item-page.tsx"
import { useSegment } from "../../queries/segments.ts"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { SegmentEditor } from "./editor/segment-editor.tsx"

const ListEditor = lazy(() => import("./members/list-editor.tsx"), Loading)

/** One segment in its editor. */
export default function SegmentPage({ id }: { id: string }) {
  return (
    <ItemPage title="Segments" noun="segment" path="/segments" query={useSegment(id)}>
      {(segment, isGone) =>
        segment.type === "STATIC" ? (
          <ListEditor segment={segment} />
        ) : (
          <SegmentEditor key={segment.id} segment={segment} isGone={isGone} />
        )
      }
    </ItemPage>
  )
}

import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { ApiError } from "../../api/http.ts"
import { useReturn } from "../../context/return-focus.tsx"
import styles from "../../list/list-page.module.css"
import { PageHead } from "../../parts/page-head.tsx"
import { useSegment } from "../../queries/segments.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { SegmentEditor } from "./editor/segment-editor.tsx"
import { ListEditor } from "./members/list-editor.tsx"

/** One segment in its editor. */
export function SegmentPage({ id }: { id: string }) {
  const { data: segment, error, refetch } = useSegment(id)
  const goBack = useReturn()
  useDocumentTitle(`${segment?.name ?? "Segment"} · Mailstead`)
  if (segment) return segment.type === "STATIC" ? <ListEditor segment={segment} /> : <SegmentEditor segment={segment} />
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <main className={styles.page}>
      <PageHead title="Segments" />
      {isGone ? (
        <Notice
          failed
          text="This segment is not here. It was deleted, or belongs to another project."
          action="All segments"
          onAction={() => goBack("/segments")}
        />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <Loader m="auto" color="gray" type="dots" aria-label="Loading" />
      )}
    </main>
  )
}

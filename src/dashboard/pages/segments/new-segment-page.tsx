import { useDocumentTitle } from "@mantine/hooks"
import { useState } from "react"
import type { SegmentType } from "../../api/segments.ts"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { SegmentEditor } from "./editor/segment-editor.tsx"
import { TypeChoice } from "./editor/type-choice.tsx"

const ListEditor = lazy(() => import("./members/list-editor.tsx"), Loading)

/** A segment before it is created; nothing is stored until then. */
export default function NewSegmentPage() {
  const [type, setType] = useState<SegmentType>("DYNAMIC")
  useDocumentTitle("New segment · Mailstead")
  return type === "DYNAMIC" ? (
    <SegmentEditor segment={null} typeChoice={<TypeChoice type={type} onType={() => setType("STATIC")} />} />
  ) : (
    <ListEditor segment={null} typeChoice={<TypeChoice type={type} onType={() => setType("DYNAMIC")} />} />
  )
}

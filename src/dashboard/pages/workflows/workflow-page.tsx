import { ItemPage } from "../../list/item-page.tsx"
import { useWorkflow } from "../../queries/workflows.ts"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"
import { loadEdited } from "./editor/edited.ts"

const WorkflowEditor = lazy(() => import("./editor/workflow-editor.tsx"), Loading)

/** One workflow in its editor. */
export default function WorkflowPage({ id }: { id: string }) {
  return (
    <ItemPage title="Workflows" noun="workflow" path="/workflows" query={useWorkflow(id, loadEdited)}>
      {(item, isGone) => <WorkflowEditor key={item.id} item={item} isGone={isGone} />}
    </ItemPage>
  )
}

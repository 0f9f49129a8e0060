import { isMissing } from "../../../api/http.ts"
import { getDraft, getWorkflow, type Workflow, type WorkflowDraft } from "../../../api/workflows.ts"

/** A workflow with the changed graph beside it, if there is one. */
export interface EditedWorkflow {
  readonly id: string
  readonly name: string
  /** Of whichever was changed last. */
  readonly updatedAt: string
  readonly workflow: Workflow
  readonly draft: WorkflowDraft | null
}

const edited = (workflow: Workflow, draft: WorkflowDraft | null): EditedWorkflow => ({
  id: workflow.id,
  name: workflow.name,
  updatedAt: draft && draft.updatedAt > workflow.updatedAt ? draft.updatedAt : workflow.updatedAt,
  workflow,
  draft,
})

export async function loadEdited(projectId: string, id: string, signal?: AbortSignal): Promise<EditedWorkflow> {
  const workflow = await getWorkflow(projectId, id, signal)
  const draft = workflow.draftVersion === null ? null : await draftOf(projectId, id, signal)
  return edited(workflow, draft)
}

/** Null when it was published or discarded meanwhile. */
const draftOf = (projectId: string, id: string, signal: AbortSignal | undefined): Promise<WorkflowDraft | null> =>
  getDraft(projectId, id, signal).catch((cause: unknown) => {
    if (isMissing(cause)) return null
    throw cause
  })

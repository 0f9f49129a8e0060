import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import {
  cancelExecutions,
  changeWorkflow,
  deleteWorkflow,
  getWorkflow,
  type WorkflowFields,
} from "../../api/workflows.ts"
import { asNew, copyNotice, nameOfCopy } from "../../context/just-created.ts"
import { type Departure, useBeforeLeaving } from "../../context/leave-guard.ts"
import { useChange } from "../../queries/use-change.ts"
import { dropWorkflow, refetchExecutions, refetchWorkflow } from "../../queries/workflows.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { openOnDemand } from "../../ui/on-demand.tsx"

const openStart = openOnDemand(
  () => import("./executions/start.tsx"),
  (dialog, workflow: Pick<WorkflowFields, "id" | "name" | "enabled">) => dialog.openStart(workflow),
)
const openVersions = openOnDemand(
  () => import("./editor/versions.tsx"),
  (dialog, id: string) => dialog.openVersions(id),
)

/** The actions on a whole workflow. `onGone` is called once it is deleted, before it is removed from the lists. */
export function useWorkflowActions(workflow: WorkflowFields, onGone: () => void = () => {}) {
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const { id, name } = workflow
  const enabling = useChange({
    send: (projectId, enabled: boolean) => changeWorkflow(projectId, id, { enabled }),
    title: workflow.enabled ? "Not turned off" : "Not turned on",
    done: (client, projectId) => refetchWorkflow(client, projectId, id),
  })
  const cancellation = useChange({
    send: (projectId) => cancelExecutions(projectId, id),
    title: "Not cancelled",
    async done(client, projectId, { cancelled }) {
      await refetchExecutions(client, projectId, id)
      const message = cancelled === 0 ? "Nobody was in it" : `${count(cancelled, "execution")} cancelled`
      notifications.show({ message, autoClose: 4000 })
    },
  })
  const copying = useChange({
    send: (projectId, _leave: Departure) => duplicate(projectId, id),
    title: "Not duplicated",
    async done(client, projectId, copy, leave) {
      await refetchWorkflow(client, projectId, copy.id)
      const isOpen = leave(() => go(`/workflows/${copy.id}`, asNew))
      notifications.show({ message: copyNotice(copy, isOpen), autoClose: 3000 })
    },
  })
  const deletion = useChange({
    send: (projectId) => deleteWorkflow(projectId, id),
    title: "Not deleted",
    format: (cause) =>
      cause instanceof ApiError && cause.status === 409
        ? "People are in it. Cancel its executions first, or turn it off and wait."
        : reasonOf(cause),
    done(client, projectId) {
      onGone()
      dropWorkflow(client, projectId, id)
    },
  })
  return {
    enable: (enabled: boolean) => void enabling.run(enabled),
    start: () => openStart(workflow),
    versions: () => openVersions(id),
    /** Copies the stored graph, and opens the copy, which is off. */
    duplicate: () => beforeLeaving((leave) => void copying.run(leave)),
    cancelAll: () =>
      confirm({
        title: "Cancel all executions?",
        text: "Everybody who is in the workflow leaves it where they are. Mails that are on their way are sent.",
        confirm: "Cancel all",
        onConfirm: () => void cancellation.run(),
      }),
    remove: () =>
      confirm({
        title: "Delete this workflow?",
        text: `${name} and the records of its executions are gone for good. Mails that it sent stay in the list of mails.`,
        confirm: "Delete",
        onConfirm: () => void deletion.run(),
      }),
  }
}

async function duplicate(projectId: string, id: string): Promise<WorkflowFields> {
  const [{ createWithGraph }, { contentOf }] = await Promise.all([
    import("./editor/store-graph.ts"),
    import("./editor/workflow-draft.ts"),
  ])
  const content = contentOf({ workflow: await getWorkflow(projectId, id), draft: null })
  return createWithGraph(projectId, { ...content, name: nameOfCopy(content.name, 255) })
}

import { Button, Group } from "@mantine/core"
import type { QueryClient } from "@tanstack/react-query"
import { isMissing } from "../../../api/http.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { discardDraft, type Moves, publishDraft } from "../../../api/workflows.ts"
import { useChange } from "../../../queries/use-change.ts"
import { refetchWorkflow } from "../../../queries/workflows.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { count } from "../../../ui/format.ts"
import { Note } from "../../../ui/note.tsx"
import styles from "./draft-notice.module.css"
import type { EditedWorkflow } from "./edited.ts"
import type { StepFault } from "./model/faults.ts"
import { openPublish } from "./publish.tsx"
import type { WorkflowDraft } from "./workflow-draft.ts"

interface DraftNoticeProps {
  item: EditedWorkflow
  draft: WorkflowDraft
  faults: readonly StepFault[]
}

/** Tells that the graph in view is a draft beside the live one, and what publishing it would mean. */
export function DraftNotice({ item, draft, faults }: DraftNoticeProps) {
  const { id, draft: stored } = item
  // somebody else may have published, discarded or replaced it
  const ofDraft = {
    done: (client: QueryClient, projectId: string) => refetchWorkflow(client, projectId, id),
    failed: (_cause: unknown, client: QueryClient, projectId: string) => refetchWorkflow(client, projectId, id),
    format: (cause: unknown) =>
      isMissing(cause) ? "The draft is gone: it was published, discarded or deleted elsewhere." : reasonOf(cause),
  }
  const publication = useChange({
    ...ofDraft,
    send: (projectId, { version, moves }: { version: number; moves: Moves }) =>
      publishDraft(projectId, id, version, moves),
    title: "Not published",
  })
  const discarding = useChange({
    ...ofDraft,
    send: (projectId) => discardDraft(projectId, id),
    title: "Not discarded",
  })
  if (!stored) return null
  const wrong = faults.filter(({ isHint }) => !isHint).length
  const publish = async () => {
    const saved = draft.isDirty ? (await draft.save())?.draft : stored
    if (!saved) return
    const { version } = saved
    openPublish({
      stored: saved,
      flow: draft.content.flow,
      onPublish: (moves) => void publication.run({ version, moves }),
    })
  }
  return (
    <div className={styles.notice}>
      <Note
        action={
          <Group gap={6} wrap="nowrap">
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() =>
                confirm({
                  title: "Discard the draft?",
                  text: "The steps are those that run now. What you changed since is gone.",
                  confirm: "Discard",
                  onConfirm: () => {
                    draft.discard()
                    void discarding.run()
                  },
                })
              }
            >
              Discard
            </Button>
            <Button
              size="compact-sm"
              disabled={wrong > 0}
              loading={publication.isRunning || draft.saving}
              onClick={() => void publish()}
            >
              Publish…
            </Button>
          </Group>
        }
      >
        This is a draft: the workflow goes on as it was until you publish it. {stored.impact.sentences.join(" ")}
        {wrong > 0 && ` ${count(wrong, "thing")} ${wrong === 1 ? "is" : "are"} missing before it can be published.`}
      </Note>
    </div>
  )
}

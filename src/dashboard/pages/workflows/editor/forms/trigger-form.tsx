import { SegmentedControl, Switch } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { previewAudience } from "../../../../api/workflows.ts"
import { useSession } from "../../../../context/session.ts"
import { EventPicker } from "../../../../parts/events/event-picker.tsx"
import { count } from "../../../../ui/format.ts"
import type { Flow } from "../flow.ts"
import styles from "./forms.module.css"

interface TriggerFormProps {
  workflowId: string
  flow: Flow
  /** The stored event: the preview is about that one. */
  storedEvent: string
  fault: string | undefined
  onFlow(part: Partial<Flow>, key: string): void
}

const days = 30

/** What starts the workflow, and who may be in it again. */
export function TriggerForm({ workflowId, flow, storedEvent, fault, onFlow }: TriggerFormProps) {
  const isEvent = flow.triggerType === "EVENT"
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Started by"
        data={[
          { value: "EVENT", label: "An event" },
          { value: "MANUAL", label: "By hand or API" },
        ]}
        value={flow.triggerType}
        onChange={(value) => onFlow({ triggerType: value === "MANUAL" ? "MANUAL" : "EVENT" }, "")}
      />
      {isEvent ? (
        <EventPicker
          label="Event"
          description="Everybody this happens to starts here."
          placeholder="signup"
          value={flow.eventName}
          error={fault}
          onChange={(eventName) => onFlow({ eventName }, "eventName")}
        />
      ) : (
        <p className={styles.hint} style={{ margin: 0 }}>
          It starts only for the contacts that you or a program start it for.
        </p>
      )}
      {isEvent && storedEvent !== "" && storedEvent === flow.eventName && <Preview workflowId={workflowId} />}
      <Switch
        label="Contacts can come again"
        description={
          flow.allowReentry
            ? "Whoever has reached the end can start once more."
            : "Whoever was in it once never starts again."
        }
        checked={flow.allowReentry}
        onChange={(event) => onFlow({ allowReentry: event.currentTarget.checked }, "")}
      />
    </>
  )
}

/** How many would have started lately. */
function Preview({ workflowId }: { workflowId: string }) {
  const projectId = useSession().project.id
  const { data } = useQuery({
    queryKey: ["workflow-audience", projectId, workflowId],
    queryFn: ({ signal }) => previewAudience(projectId, workflowId, days, signal),
    staleTime: 60_000,
    retry: false,
  })
  if (!data) return null
  return (
    <p className={styles.hint} style={{ margin: 0 }}>
      In the last {days} days it would have started for <strong>{count(data.contacts, "contact")}</strong>.
    </p>
  )
}

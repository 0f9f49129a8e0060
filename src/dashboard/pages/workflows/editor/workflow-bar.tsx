import { Button, Menu, SegmentedControl, Switch } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconFlask,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from "@tabler/icons-react"
import type { FaultTexts } from "../../../api/refusal.ts"
import { useIsNew } from "../../../context/just-created.ts"
import { useIsReadOnly } from "../../../context/session.ts"
import { BarMenu, EditorBar, SaveState } from "../../../parts/editor-bar.tsx"
import { age } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { SaveButton } from "../../../ui/save.tsx"
import { Tool } from "../../../ui/tool.tsx"
import { useNow } from "../../../ui/when.tsx"
import { WorkflowTabs } from "../tabs.tsx"
import type { useWorkflowActions } from "../use-workflow-actions.tsx"
import type { EditedWorkflow } from "./edited.ts"
import styles from "./editor.module.css"
import { redoKey, undoKey } from "./editor-commands.ts"
import { FaultList } from "./fault-list.tsx"
import type { Flow } from "./flow.ts"
import type { StepFault } from "./model/faults.ts"
import { stepIn } from "./model/graph.ts"
import type { Steps } from "./use-steps.ts"
import type { WorkflowDraft } from "./workflow-draft.ts"

interface WorkflowBarProps {
  item: EditedWorkflow
  draft: WorkflowDraft
  steps: Steps
  faults: readonly StepFault[]
  actions: ReturnType<typeof useWorkflowActions>
  /** The days of the counts; null while none are shown. */
  days: 7 | 30 | null
  onDays(days: 7 | 30 | null): void
  onSimulate(): void
  isListed: boolean
  onListed(listed: boolean): void
  onStep(id: string): void
}

/** The name of the workflow, whether it runs and is saved, and its actions. */
export function WorkflowBar(props: WorkflowBarProps) {
  const { item, draft, steps, faults, actions, days, onDays, onSimulate, isListed, onListed, onStep } = props
  const { workflow } = item
  const now = useNow()
  const isNew = useIsNew()
  const isReadOnly = useIsReadOnly()
  const { content, refusal, isDirty, saving, gone, edit, save } = draft
  const isWrong = faults.some(({ isHint }) => !isHint)
  const enable = async (enabled: boolean) => {
    if (enabled && isWrong) return onListed(true)
    const stored = enabled && isDirty ? await save() : item
    if (!stored) return
    if (enabled && stored.draft)
      notifications.show({ message: "Publish the draft, or discard it, and then turn it on." })
    else actions.enable(enabled)
  }
  const saved = `Saved ${age(Date.parse(item.updatedAt), now)}`
  const problem = problemOf(refusal.faults, content.flow) ?? (gone ? "Deleted elsewhere" : undefined)
  return (
    <EditorBar
      title="Edit workflow"
      list={{ name: "All workflows", path: "/workflows" }}
      name={{ value: content.name, error: refusal.faults.name, onChange: (name) => edit({ name }), focused: isNew }}
      about={
        <>
          <WorkflowTabs id={item.id} current="steps" />
          <SegmentedControl
            size="xs"
            aria-label="Counts"
            data={[
              { value: "", label: "Now" },
              { value: "7", label: "7 days" },
              { value: "30", label: "30 days" },
            ]}
            value={days === null ? "" : String(days)}
            onChange={(value) => onDays(value === "" ? null : value === "7" ? 7 : 30)}
          />
          <SaveState problem={problem} status={isDirty ? "Not saved" : saved} quiet={!isDirty} />
        </>
      }
    >
      <span className={styles.tools}>
        <Tool label="Undo" shortcut={undoKey} icon={IconArrowBackUp} run={steps.undo} />
        <Tool label="Redo" shortcut={redoKey} icon={IconArrowForwardUp} run={steps.redo} />
      </span>
      <FaultList graph={content.flow} faults={faults} opened={isListed} onOpened={onListed} onStep={onStep} />
      <Button
        size="xs"
        h={32}
        variant="default"
        leftSection={<IconFlask size={15} stroke={1.7} />}
        classNames={{ section: styles.flask ?? "" }}
        aria-label="Simulate"
        onClick={onSimulate}
      >
        <span className={styles.wide}>Simulate</span>
      </Button>
      <BarMenu label="Workflow actions" width={240}>
        <MenuEntry icon={IconPlayerPlay} run={actions.start}>
          Start for a contact…
        </MenuEntry>
        <MenuEntry icon={IconCopy} run={actions.duplicate}>
          Duplicate
        </MenuEntry>
        <MenuEntry icon={IconHistory} run={actions.versions}>
          Earlier versions…
        </MenuEntry>
        <Menu.Divider />
        <MenuEntry icon={IconPlayerStop} run={actions.cancelAll} danger>
          Cancel all executions…
        </MenuEntry>
        <MenuEntry icon={IconTrash} run={actions.remove} danger>
          Delete…
        </MenuEntry>
      </BarMenu>
      <Switch
        size="sm"
        classNames={{ labelWrapper: styles.wide ?? "" }}
        label={workflow.enabled ? "On" : "Off"}
        aria-label="Enabled"
        checked={workflow.enabled}
        disabled={saving || gone}
        onChange={(event) => void enable(event.currentTarget.checked)}
      />
      <SaveButton loading={saving} disabled={isReadOnly || (!isDirty && !gone)} onSave={() => void save()}>
        {gone ? "Save as a new one" : "Save"}
      </SaveButton>
    </EditorBar>
  )
}

/** Why it could not be saved, with the name of the step if it is about one; faults of the name stand at the name. */
function problemOf(faults: FaultTexts, flow: Flow): string | undefined {
  if (faults.other) return faults.other
  const [field = "", text] = Object.entries(faults).find(([field]) => field !== "name") ?? []
  const step = stepIn(flow, field.split(":")[1] ?? "")
  return step ? `${step.name}: ${text}` : text
}

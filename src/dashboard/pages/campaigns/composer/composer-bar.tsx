import { Button, Menu, SegmentedControl } from "@mantine/core"
import { IconCopy, IconPlayerStop, IconSend, IconTrash } from "@tabler/icons-react"
import type { Campaign } from "../../../api/campaigns.ts"
import { useIsNew } from "../../../context/just-created.ts"
import { useIsReadOnly } from "../../../context/session.ts"
import { type Side, SideChoice } from "../../../parts/content/side-choice.tsx"
import { TypeMenu } from "../../../parts/content/type-menu.tsx"
import { BarMenu, EditorBar, SaveState } from "../../../parts/editor-bar.tsx"
import { age, plannedTime } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { SaveButton } from "../../../ui/save.tsx"
import { useNow } from "../../../ui/when.tsx"
import type { useCampaignActions } from "../use-campaign-actions.tsx"
import type { CampaignDraft } from "./campaign-draft.ts"
import styles from "./composer.module.css"

export type Part = "content" | "audience"

interface ComposerBarProps {
  campaign: Campaign
  draft: CampaignDraft
  part: Part
  onPart(part: Part): void
  actions: ReturnType<typeof useCampaignActions>
  onTest(): void
  onSend(): void
  /** Null where both sides are in view. */
  side: Side | null
  onSide(side: Side): void
}

/** The name and the parts of the campaign, its save state, and its actions. */
export function ComposerBar(props: ComposerBarProps) {
  const { campaign, draft, part, onPart, actions, onTest, onSend, side, onSide } = props
  const isNew = useIsNew()
  const isReadOnly = useIsReadOnly()
  const { content: fields, refusal, isDirty, saving, gone, edit, save } = draft
  const { faults } = refusal
  const isScheduled = campaign.status === "SCHEDULED"
  return (
    <EditorBar
      title="Edit campaign"
      list={{ name: "All campaigns", path: "/campaigns" }}
      name={{ value: fields.name, error: faults.name, onChange: (name) => edit({ name }), focused: isNew }}
      about={
        <>
          <TypeMenu type={fields.type} onType={(type) => edit({ type })} />
          <SegmentedControl
            size="xs"
            aria-label="Part"
            data={[
              { value: "content", label: "Content" },
              { value: "audience", label: "Audience" },
            ]}
            value={part}
            onChange={(value) => onPart(value === "audience" ? "audience" : "content")}
          />
          {side && part === "content" && <SideChoice side={side} onSide={onSide} />}
          <State campaign={campaign} draft={draft} />
        </>
      }
    >
      <BarMenu label="Campaign actions" width={220}>
        <MenuEntry icon={IconSend} run={onTest}>
          Send a test…
        </MenuEntry>
        <MenuEntry icon={IconCopy} run={actions.duplicate}>
          Duplicate
        </MenuEntry>
        <Menu.Divider />
        {isScheduled ? (
          <MenuEntry icon={IconPlayerStop} run={actions.cancel} danger>
            Cancel the campaign…
          </MenuEntry>
        ) : (
          <MenuEntry icon={IconTrash} run={actions.remove} danger>
            Delete…
          </MenuEntry>
        )}
      </BarMenu>
      <SaveButton
        variant="default"
        loading={saving}
        disabled={isReadOnly || (!isDirty && !gone)}
        onSave={() => void save()}
      >
        {gone ? "Save as a new one" : "Save"}
      </SaveButton>
      <Button
        classNames={{ section: styles.icon ?? "" }}
        size="xs"
        h={32}
        leftSection={<IconSend size={15} stroke={1.7} />}
        disabled={isReadOnly}
        onClick={onSend}
      >
        {isScheduled ? "Reschedule" : "Send"}
      </Button>
    </EditorBar>
  )
}

function State({ campaign, draft }: { campaign: Campaign; draft: CampaignDraft }) {
  const now = useNow()
  const { refusal, isDirty, gone } = draft
  const { faults } = refusal
  const planned = campaign.status === "SCHEDULED" && campaign.scheduledFor
  const said = isDirty
    ? "Not saved"
    : planned
      ? `Goes out ${plannedTime(Date.parse(planned))}`
      : `Saved ${age(Date.parse(campaign.updatedAt), now)}`
  return (
    <SaveState
      problem={faults.other ?? faults.body ?? faults.type ?? faults.from ?? faults.subject ?? faults.audienceType}
      gone={gone}
      status={said}
      quiet={!isDirty && !planned}
    />
  )
}

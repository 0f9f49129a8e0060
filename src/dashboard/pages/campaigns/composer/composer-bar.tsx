import { ActionIcon, Button, Menu, SegmentedControl, TextInput } from "@mantine/core"
import { IconArrowLeft, IconCopy, IconDots, IconPlayerStop, IconSend, IconTrash } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { age, fullTime } from "../../../ui/format.ts"
import { SaveButton } from "../../../ui/save.tsx"
import { Tool } from "../../../ui/tool.tsx"
import { useNow } from "../../../ui/when.tsx"
import { TypeMenu } from "../../templates/editor/editor-bar.tsx"
import editor from "../../templates/editor/template-editor.module.css"
import type { Campaign } from "../api.ts"
import type { useCampaignActions } from "../use-campaign-actions.tsx"
import styles from "./composer.module.css"
import type { CampaignDraft } from "./use-campaign-draft.ts"

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
  side: "write" | "preview" | null
  onSide(side: "write" | "preview"): void
}

/** The name and the parts of the campaign, whether it is saved, and what can be done with it. */
export function ComposerBar(props: ComposerBarProps) {
  const { campaign, draft, part, onPart, actions, onTest, onSend, side, onSide } = props
  const [, go] = useLocation()
  const { fields, isDirty, saving, edit, save } = draft
  const isScheduled = campaign.status === "SCHEDULED"
  return (
    <header className={editor.bar}>
      <Tool label="All campaigns" icon={IconArrowLeft} run={() => go("/campaigns")} />
      <TextInput
        className={editor.name ?? ""}
        variant="unstyled"
        aria-label="Name"
        value={fields.name}
        error={draft.faults.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <TypeMenu type={fields.type} onType={(type) => edit({ type })} />
      <SegmentedControl
        className={styles.parts ?? ""}
        size="xs"
        aria-label="Part"
        data={[
          { value: "content", label: "Content" },
          { value: "audience", label: "Audience" },
        ]}
        value={part}
        onChange={(value) => onPart(value === "audience" ? "audience" : "content")}
      />
      {side && part === "content" && (
        <SegmentedControl
          size="xs"
          aria-label="Side"
          data={[
            { value: "write", label: "Write" },
            { value: "preview", label: "Preview" },
          ]}
          value={side}
          onChange={(value) => onSide(value === "preview" ? "preview" : "write")}
        />
      )}
      <State campaign={campaign} draft={draft} />
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Campaign actions">
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconSend size={16} stroke={1.6} />} onClick={onTest}>
            Send a test…
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void actions.duplicate()}>
            Duplicate
          </Menu.Item>
          <Menu.Divider />
          {isScheduled ? (
            <Menu.Item color="red" leftSection={<IconPlayerStop size={16} stroke={1.6} />} onClick={actions.cancel}>
              Cancel the campaign…
            </Menu.Item>
          ) : (
            <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.6} />} onClick={actions.remove}>
              Delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveButton variant="default" loading={saving} disabled={!isDirty} onSave={() => void save()}>
        Save
      </SaveButton>
      <Button size="xs" h={32} leftSection={<IconSend size={15} stroke={1.7} />} onClick={onSend}>
        {isScheduled ? "Reschedule" : "Send"}
      </Button>
    </header>
  )
}

function State({ campaign, draft }: { campaign: Campaign; draft: CampaignDraft }) {
  const now = useNow()
  const { faults, audience, isDirty } = draft
  const trouble = faults.other ?? faults.body ?? faults.type ?? faults.from ?? faults.subject ?? audience
  const planned = campaign.status === "SCHEDULED" && campaign.scheduledFor
  const said = isDirty
    ? "Not saved"
    : planned
      ? `Goes out ${fullTime(Date.parse(planned))}`
      : `Saved ${age(Date.parse(campaign.updatedAt), now)}`
  return (
    <span className={styles.state} role="status" data-trouble={trouble ? true : undefined}>
      {trouble ?? said}
    </span>
  )
}

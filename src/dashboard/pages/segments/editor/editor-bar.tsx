import { ActionIcon, Menu, TextInput } from "@mantine/core"
import { IconArrowLeft, IconCopy, IconDots, IconRefresh, IconTrash } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { age } from "../../../ui/format.ts"
import { SaveButton } from "../../../ui/save.tsx"
import { Tool } from "../../../ui/tool.tsx"
import { useNow } from "../../../ui/when.tsx"
import type { Segment } from "../api.ts"
import { sayFault } from "../faults.ts"
import { computes, type SegmentActions } from "../use-segment-actions.tsx"
import styles from "./editor-bar.module.css"
import type { SegmentDraft } from "./use-segment-draft.ts"

interface EditorBarProps {
  /** Null while it has yet to be created. */
  segment: Segment | null
  draft: SegmentDraft
  /** Null for what cannot be done to it yet. */
  actions: SegmentActions | null
  onSave(): void
}

/** The name of the segment, whether it is saved, and what can be done with it. */
export function EditorBar({ segment, draft, actions, onSave }: EditorBarProps) {
  const now = useNow()
  const [, go] = useLocation()
  const { fields, refusal, isDirty, saving, edit } = draft
  const [fault] = refusal.condition
  const trouble = refusal.other ?? refusal.description ?? (fault && sayFault(fault))
  const saved = segment ? `Saved ${age(Date.parse(segment.updatedAt), now)}` : ""
  return (
    <header className={styles.bar}>
      <Tool label="All segments" icon={IconArrowLeft} run={() => go("/segments")} />
      <TextInput
        className={styles.name ?? ""}
        variant="unstyled"
        aria-label="Name"
        placeholder="Name of the segment"
        autoFocus={segment === null}
        value={fields.name}
        error={refusal.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      {segment && <span className={styles.type}>{segment.type === "STATIC" ? "List" : "Conditions"}</span>}
      <span
        className={styles.state}
        role="status"
        data-trouble={trouble ? true : undefined}
        data-quiet={(!trouble && !isDirty) || undefined}
      >
        {trouble ?? (isDirty && segment ? "Not saved" : saved)}
      </span>
      {segment && actions && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Segment actions">
              <IconDots size={18} stroke={1.7} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={() => void actions.renew()}>
              {computes(segment) ? "Compute membership now" : "Count again"}
            </Menu.Item>
            {segment.type === "DYNAMIC" && (
              <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void actions.duplicate()}>
                Duplicate
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} stroke={1.6} />}
              onClick={() => void actions.remove()}
            >
              Delete…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <SaveButton loading={saving} disabled={segment !== null && !isDirty} onSave={onSave}>
        {segment ? "Save" : "Create"}
        {!segment && <span className={styles.wide}>&nbsp;segment</span>}
      </SaveButton>
    </header>
  )
}

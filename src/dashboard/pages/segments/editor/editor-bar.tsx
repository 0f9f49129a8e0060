import { Menu } from "@mantine/core"
import { IconCopy, IconRefresh, IconTrash } from "@tabler/icons-react"
import type { Segment } from "../../../api/segments.ts"
import { useIsReadOnly } from "../../../context/session.ts"
import { formatFault } from "../../../parts/condition/faults.ts"
import { EditorBar as Bar, BarMenu, SaveState } from "../../../parts/editor-bar.tsx"
import { age } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { SaveButton } from "../../../ui/save.tsx"
import { useNow } from "../../../ui/when.tsx"
import { computes, type SegmentActions } from "../use-segment-actions.tsx"
import styles from "./editor-bar.module.css"
import type { SegmentDraft } from "./segment-draft.ts"

interface EditorBarProps {
  /** Null while it has yet to be created. */
  segment: Segment | null
  draft: SegmentDraft
  /** Null while it has yet to be created. */
  actions: SegmentActions | null
  onSave(): void
}

/** The name of the segment, its save state, and its actions. */
export function EditorBar({ segment, draft, actions, onSave }: EditorBarProps) {
  const now = useNow()
  const isReadOnly = useIsReadOnly()
  const { content: fields, refusal, isDirty, saving, gone, edit } = draft
  const { faults } = refusal
  const [fault] = refusal.condition
  const problem = faults.other ?? faults.description ?? (fault && formatFault(fault))
  const saved = segment ? `Saved ${age(Date.parse(segment.updatedAt), now)}` : ""
  return (
    <Bar
      title={segment ? "Edit segment" : "New segment"}
      list={{ name: "All segments", path: "/segments" }}
      name={{
        value: fields.name,
        error: faults.name,
        onChange: (name) => edit({ name }),
        placeholder: "Name of the segment",
        focused: segment === null,
      }}
      about={
        <>
          {segment && <span className={styles.type}>{segment.type === "STATIC" ? "List" : "Conditions"}</span>}
          <SaveState problem={problem} gone={gone} status={isDirty && segment ? "Not saved" : saved} />
        </>
      }
    >
      {segment && actions && (
        <BarMenu label="Segment actions" width={240}>
          <MenuEntry icon={IconRefresh} run={() => void actions.renew()}>
            {computes(segment) ? "Compute membership now" : "Count again"}
          </MenuEntry>
          {segment.type === "DYNAMIC" && (
            <MenuEntry icon={IconCopy} run={actions.duplicate}>
              Duplicate
            </MenuEntry>
          )}
          <Menu.Divider />
          <MenuEntry icon={IconTrash} run={() => void actions.remove()} danger>
            Delete…
          </MenuEntry>
        </BarMenu>
      )}
      <SaveButton loading={saving} disabled={isReadOnly || (segment !== null && !isDirty && !gone)} onSave={onSave}>
        {gone ? "Save as a new one" : segment ? "Save" : "Create"}
        {!segment && <span className={styles.wide}>&nbsp;segment</span>}
      </SaveButton>
    </Bar>
  )
}

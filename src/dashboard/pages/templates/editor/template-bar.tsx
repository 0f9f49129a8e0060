import { Button, Menu } from "@mantine/core"
import { IconCopy, IconSend, IconTrash } from "@tabler/icons-react"
import type { Template } from "../../../api/templates.ts"
import { useIsNew } from "../../../context/just-created.ts"
import { useIsReadOnly } from "../../../context/session.ts"
import { type Side, SideChoice } from "../../../parts/content/side-choice.tsx"
import { TypeMenu } from "../../../parts/content/type-menu.tsx"
import { BarMenu, EditorBar, SaveState } from "../../../parts/editor-bar.tsx"
import { age } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { SaveButton } from "../../../ui/save.tsx"
import { useNow } from "../../../ui/when.tsx"
import type { useTemplateActions } from "../use-template-actions.tsx"
import type { TemplateDraft } from "./template-draft.ts"
import styles from "./template-editor.module.css"
import { Usage } from "./usage.tsx"

interface TemplateBarProps {
  template: Template
  draft: TemplateDraft
  onTest(): void
  actions: ReturnType<typeof useTemplateActions>
  /** Null where both sides are in view. */
  side: Side | null
  onSide(side: Side): void
}

/** The name and the type of the template, its save state, and its actions. */
export function TemplateBar({ template, draft, onTest, actions, side, onSide }: TemplateBarProps) {
  const now = useNow()
  const isNew = useIsNew()
  const isReadOnly = useIsReadOnly()
  const { content: fields, refusal, isDirty, saving, gone, edit, save } = draft
  const { faults } = refusal
  const problem = faults.other ?? faults.body ?? faults.type
  return (
    <EditorBar
      title="Edit template"
      list={{ name: "All templates", path: "/templates" }}
      name={{ value: fields.name, error: faults.name, onChange: (name) => edit({ name }), focused: isNew }}
      about={
        <>
          <TypeMenu type={fields.type} onType={(type) => edit({ type })} />
          <SaveState
            problem={problem}
            gone={gone}
            status={isDirty ? "Not saved" : `Saved ${age(Date.parse(template.updatedAt), now)}`}
          />
          {side && <SideChoice side={side} onSide={onSide} />}
        </>
      }
    >
      <Button
        className={styles.test ?? ""}
        variant="default"
        size="xs"
        h={32}
        leftSection={<IconSend size={15} stroke={1.7} />}
        onClick={onTest}
      >
        Send a test
      </Button>
      <BarMenu label="Template actions" width={260}>
        <Usage id={template.id} />
        <Menu.Divider />
        <MenuEntry icon={IconSend} run={onTest}>
          Send a test…
        </MenuEntry>
        <MenuEntry icon={IconCopy} run={actions.duplicate}>
          Duplicate
        </MenuEntry>
        <MenuEntry icon={IconTrash} run={() => void actions.remove()} danger>
          Delete
        </MenuEntry>
      </BarMenu>
      <SaveButton loading={saving} disabled={isReadOnly || (!isDirty && !gone)} onSave={() => void save()}>
        {gone ? "Save as a new one" : "Save"}
      </SaveButton>
    </EditorBar>
  )
}

import { Button, Menu, SegmentedControl } from "@mantine/core"
import { IconChevronDown, IconCopy, IconSend, IconTrash } from "@tabler/icons-react"
import { mailTypes, type Template } from "../../../api/wire.ts"
import { useIsNew } from "../../../context/just-created.ts"
import styles from "../../../parts/content/content-editor.module.css"
import { typeMeanings, typeNames } from "../../../parts/content/mail-types.ts"
import { BarMenu, EditorBar, SaveState } from "../../../parts/editor-bar.tsx"
import { age } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { SaveButton } from "../../../ui/save.tsx"
import { useNow } from "../../../ui/when.tsx"
import type { useTemplateActions } from "../use-template-actions.tsx"
import { Usage } from "./usage.tsx"
import type { TemplateDraft } from "./use-draft.ts"

export type Side = "write" | "preview"

interface TemplateBarProps {
  template: Template
  draft: TemplateDraft
  /** Null where the project's key is not known. */
  onTest: (() => void) | null
  actions: ReturnType<typeof useTemplateActions>
  /** Null where both sides are in view. */
  side: Side | null
  onSide(side: Side): void
}

/** The name and the type of the template, whether it is saved, and what can be done with it. */
export function TemplateBar({ template, draft, onTest, actions, side, onSide }: TemplateBarProps) {
  const now = useNow()
  const isNew = useIsNew()
  const { fields, faults, isDirty, saving, gone, edit, save } = draft
  const trouble = faults.other ?? faults.body ?? faults.type
  return (
    <EditorBar
      list={{ name: "All templates", path: "/templates" }}
      name={{ value: fields.name, error: faults.name, onChange: (name) => edit({ name }), focused: isNew }}
      about={
        <>
          <TypeMenu type={fields.type} onType={(type) => edit({ type })} />
          <SaveState
            trouble={trouble ?? (gone ? "Deleted elsewhere" : undefined)}
            said={isDirty ? "Not saved" : `Saved ${age(Date.parse(template.updatedAt), now)}`}
          />
          {side && <SideChoice side={side} onSide={onSide} />}
        </>
      }
    >
      {onTest && (
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
      )}
      <BarMenu label="Template actions" width={260}>
        <Usage id={template.id} />
        <Menu.Divider />
        {onTest && (
          <MenuEntry icon={IconSend} run={onTest}>
            Send a test…
          </MenuEntry>
        )}
        <MenuEntry icon={IconCopy} run={actions.duplicate}>
          Duplicate
        </MenuEntry>
        <MenuEntry icon={IconTrash} run={() => void actions.remove()} danger>
          Delete…
        </MenuEntry>
      </BarMenu>
      <SaveButton loading={saving} disabled={!isDirty && !gone} onSave={() => void save()}>
        {gone ? "Save as a new one" : "Save"}
      </SaveButton>
    </EditorBar>
  )
}

/** Where one side has to give way to the other. */
export function SideChoice({ side, onSide }: { side: Side; onSide(side: Side): void }) {
  return (
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
  )
}

/** The type of a mail, and what each type means. */
export function TypeMenu({ type, onType }: { type: Template["type"]; onType(type: Template["type"]): void }) {
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          className={styles.type ?? ""}
          variant="light"
          color="gray"
          radius="xl"
          rightSection={<IconChevronDown size={12} stroke={2} />}
          size="compact-xs"
          aria-label={`Type: ${typeNames[type]}`}
        >
          {typeNames[type]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={type} onChange={(value) => onType(mailTypes.find((known) => known === value) ?? type)}>
          {mailTypes.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {typeNames[one]}
              <small className={styles.meaning}>{typeMeanings[one]}</small>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

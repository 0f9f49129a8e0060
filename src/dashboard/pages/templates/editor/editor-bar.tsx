import { ActionIcon, Button, Menu, SegmentedControl, TextInput } from "@mantine/core"
import { IconArrowLeft, IconChevronDown, IconCopy, IconDots, IconSend, IconTrash } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { age } from "../../../ui/format.ts"
import { SaveButton } from "../../../ui/save.tsx"
import { Tool } from "../../../ui/tool.tsx"
import { useNow } from "../../../ui/when.tsx"
import { mailTypes, type Template } from "../../../wire.ts"
import { typeMeanings, typeNames } from "../types.ts"
import type { useTemplateActions } from "../use-template-actions.tsx"
import styles from "./template-editor.module.css"
import { Usage } from "./usage.tsx"
import type { TemplateDraft } from "./use-draft.ts"

interface EditorBarProps {
  template: Template
  draft: TemplateDraft
  /** Null where the project's key is not known. */
  onTest: (() => void) | null
  actions: ReturnType<typeof useTemplateActions>
  /** Null where both sides are in view. */
  side: "write" | "preview" | null
  onSide(side: "write" | "preview"): void
}

/** The name and the type of the template, whether it is saved, and what can be done with it. */
export function EditorBar({ template, draft, onTest, actions, side, onSide }: EditorBarProps) {
  const now = useNow()
  const [, go] = useLocation()
  const { fields, faults, isDirty, saving, edit, save } = draft
  const trouble = faults.other ?? faults.body ?? faults.type
  return (
    <header className={styles.bar}>
      <Tool label="All templates" icon={IconArrowLeft} run={() => go("/templates")} />
      <TextInput
        className={styles.name ?? ""}
        variant="unstyled"
        aria-label="Name"
        value={fields.name}
        error={faults.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <TypeMenu type={fields.type} onType={(type) => edit({ type })} />
      <span className={styles.state} role="status" data-trouble={trouble ? true : undefined}>
        {trouble ?? (isDirty ? "Not saved" : `Saved ${age(Date.parse(template.updatedAt), now)}`)}
      </span>
      {side && (
        <SegmentedControl
          className={styles.sides ?? ""}
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
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Template actions">
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Usage id={template.id} />
          <Menu.Divider />
          {onTest && (
            <Menu.Item leftSection={<IconSend size={16} stroke={1.6} />} onClick={onTest}>
              Send a test…
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void actions.duplicate()}>
            Duplicate
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} stroke={1.6} />}
            onClick={() => void actions.remove()}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveButton loading={saving} disabled={!isDirty} onSave={() => void save()}>
        Save
      </SaveButton>
    </header>
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

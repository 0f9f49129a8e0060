import { IconCode, IconCopy, IconDeviceFloppy, IconEye, IconSend, IconTrash } from "@tabler/icons-react"
import { useEffect, useRef } from "react"
import { useLocation } from "wouter"
import type { Template } from "../../../api/templates.ts"
import { type Command, useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import styles from "../../../parts/content/content-editor.module.css"
import { ContentEditor } from "../../../parts/content/content-editor.tsx"
import { type Side, useSide } from "../../../parts/content/side-choice.tsx"
import { saveKey, useSaveKey } from "../../../ui/save.tsx"
import { openTestSend } from "../open-test-send.ts"
import { useTemplateActions } from "../use-template-actions.tsx"
import { TemplateBar } from "./template-bar.tsx"
import { useTemplateDraft } from "./template-draft.ts"
import { useTemplatePreview } from "./use-template-preview.ts"

/** Subject, sender and HTML of a template on one side, and the preview on the other. */
export function TemplateEditor({ template, isGone }: { template: Template; isGone: boolean }) {
  const [, go] = useLocation()
  const depart = useDeparture()
  const draft = useTemplateDraft(template, isGone)
  const { content } = draft
  const preview = useTemplatePreview(template.id)
  const { side, setSide } = useSide()
  const actions = useTemplateActions(template, () => void depart(() => go("/templates")))

  const test = () => openTestSend({ ...content, id: template.id }, preview.settings.for)

  const save = () => void draft.save()
  useSaveKey(save)
  useCommands(
    editorCommands({
      save,
      ...actions,
      test,
      side,
      setSide,
    }),
  )

  const page = useRef<HTMLElement>(null)
  useEffect(() => {
    // the row that linked here had the focus and is gone
    if (document.activeElement === document.body) page.current?.focus({ preventScroll: true })
  }, [])

  return (
    <main ref={page} tabIndex={-1} className={styles.page} data-side={side ?? undefined}>
      <TemplateBar template={template} draft={draft} onTest={test} actions={actions} side={side} onSide={setSide} />
      <ContentEditor draft={draft} preview={preview} onWrite={() => setSide("write")} />
    </main>
  )
}

interface EditorCommands {
  save(): void
  duplicate(): void
  remove(): Promise<void>
  test(): void
  /** Null where both sides are in view. */
  side: Side | null
  setSide(side: Side): void
}

function editorCommands({ save, duplicate, remove, test, side, setSide }: EditorCommands): Command[] {
  const one = { group: "Template" } as const
  const commands: (Command | false)[] = [
    { ...one, id: "save", label: "Save", icon: IconDeviceFloppy, keys: [saveKey], run: save },
    { ...one, id: "test", label: "Send a test", icon: IconSend, run: test },
    { ...one, id: "duplicate", label: "Duplicate", icon: IconCopy, run: duplicate },
    { ...one, id: "delete", label: "Delete", icon: IconTrash, run: () => void remove() },
    side === "preview" && { ...one, id: "write", label: "Write", icon: IconCode, run: () => setSide("write") },
    side === "write" && { ...one, id: "preview", label: "Preview", icon: IconEye, run: () => setSide("preview") },
  ]
  return commands.filter((command) => command !== false)
}

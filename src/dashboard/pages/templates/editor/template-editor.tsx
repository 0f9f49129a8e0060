import { useMediaQuery } from "@mantine/hooks"
import { IconCode, IconCopy, IconDeviceFloppy, IconEye, IconSend, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { useLocation } from "wouter"
import { type Command, useCommands } from "../../../shell/commands.tsx"
import { useRelease } from "../../../shell/leave-guard.ts"
import { useSession } from "../../../shell/session.tsx"
import { useSaveKey } from "../../../ui/save-key.ts"
import type { Template } from "../../../wire.ts"
import type { CodeHandle } from "../code/handle.ts"
import { openTestSend } from "../test-send.tsx"
import { useTemplateActions } from "../use-template-actions.tsx"
import { Code } from "./code.tsx"
import { EditorBar } from "./editor-bar.tsx"
import { Envelope } from "./envelope.tsx"
import { PreviewPane } from "./preview-pane.tsx"
import styles from "./template-editor.module.css"
import { useDraft } from "./use-draft.ts"
import { jsonOf, usePreview, usePreviewSettings } from "./use-preview.ts"
import { useVariables } from "./variables.ts"

/** Subject, sender and HTML of a template on one side, and what becomes of them on the other. */
export function TemplateEditor({ template }: { template: Template }) {
  const { project } = useSession()
  const [, go] = useLocation()
  const release = useRelease()
  const draft = useDraft(template)
  const { fields } = draft
  const { settings, setSettings, ready } = usePreviewSettings()
  const { preview, error, syntax, lostContact } = usePreview(fields, settings, ready)
  const variables = useVariables()
  const narrow = useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false })
  const [side, setSide] = useState<"write" | "preview">("write")
  const actions = useTemplateActions(template, () => {
    release()
    go("/templates")
  })

  const code = useRef<CodeHandle | null>(null)
  const subject = useRef<HTMLInputElement>(null)
  const lastIn = useRef<"subject" | "body">("body")
  const fault = syntax ?? draft.syntax

  const insert = (text: string) => {
    setSide("write")
    if (lastIn.current === "body") return code.current?.insert(text)
    const input = subject.current
    if (!input) return
    const [from, to] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length]
    draft.edit({ subject: input.value.slice(0, from) + text + input.value.slice(to) })
    requestAnimationFrame(() => {
      input.focus()
      input.setSelectionRange(from + text.length, from + text.length)
    })
  }
  const goToFault = () => {
    setSide("write")
    if (fault?.field === "body") requestAnimationFrame(() => code.current?.goTo(fault.line, fault.column))
    else subject.current?.focus()
  }
  const test = () => {
    const to = settings.for.by === "contact" ? settings.for.contact?.email : undefined
    openTestSend({ ...fields, id: template.id }, jsonOf(settings.for) ?? {}, to)
  }

  const save = () => void draft.save()
  useSaveKey(save)
  useCommands(
    editorCommands({
      save,
      ...actions,
      test: project.secret === null ? null : test,
      side: narrow ? side : null,
      setSide,
    }),
  )

  return (
    <main className={styles.page} data-side={narrow ? side : undefined}>
      <EditorBar
        template={template}
        draft={draft}
        onTest={project.secret === null ? null : test}
        actions={actions}
        side={narrow ? side : null}
        onSide={setSide}
      />
      <section className={styles.write} aria-label="Content">
        <Envelope
          draft={draft}
          fault={fault?.field === "subject" ? fault : null}
          subjectRef={subject}
          onSubjectFocus={() => {
            lastIn.current = "subject"
          }}
        />
        <Code
          value={fields.body}
          onChange={(body) => draft.edit({ body })}
          onFocus={() => {
            lastIn.current = "body"
          }}
          onHandle={(handle) => {
            code.current = handle
          }}
          variables={variables}
          fault={fault?.field === "body" ? fault : null}
        />
      </section>
      <PreviewPane
        type={fields.type}
        sender={fields.fromName || project.name}
        source={`${fields.subject}\n${fields.body}`}
        preview={preview}
        error={error}
        fault={fault}
        onFault={goToFault}
        lostContact={lostContact}
        settings={settings}
        onSettings={setSettings}
        variables={variables}
        onInsert={insert}
      />
    </main>
  )
}

interface EditorCommands {
  save(): void
  duplicate(): Promise<void>
  remove(): Promise<void>
  test: (() => void) | null
  /** Null where both sides are in view. */
  side: "write" | "preview" | null
  setSide(side: "write" | "preview"): void
}

function editorCommands({ save, duplicate, remove, test, side, setSide }: EditorCommands): Command[] {
  const one = { group: "Template" } as const
  const commands: (Command | false)[] = [
    { ...one, id: "save", label: "Save", icon: IconDeviceFloppy, run: save },
    test !== null && { ...one, id: "test", label: "Send a test", icon: IconSend, run: test },
    { ...one, id: "duplicate", label: "Duplicate", icon: IconCopy, run: () => void duplicate() },
    { ...one, id: "delete", label: "Delete", icon: IconTrash, run: () => void remove() },
    side === "preview" && { ...one, id: "write", label: "Write", icon: IconCode, run: () => setSide("write") },
    side === "write" && { ...one, id: "preview", label: "Preview", icon: IconEye, run: () => setSide("preview") },
  ]
  return commands.filter((command) => command !== false)
}

import { useRef } from "react"
import { useSession } from "../../context/session.ts"
import type { CodeHandle } from "./code/handle.ts"
import { Code } from "./code.tsx"
import type { ContentDraft } from "./content-draft.ts"
import styles from "./content-editor.module.css"
import { Envelope } from "./envelope.tsx"
import { ImageButton } from "./image-button.tsx"
import { PreviewPane } from "./preview-pane.tsx"
import { useImages } from "./use-images.ts"
import { usePreview } from "./use-preview.ts"
import type { PreviewChoice } from "./use-preview-settings.ts"
import { useVariables } from "./variables.ts"

interface ContentEditorProps {
  draft: ContentDraft
  preview: PreviewChoice
  /** Brings the side for writing into view. */
  onWrite(): void
}

/** Subject, sender and HTML on one side, and the preview on the other: the two columns of a page. */
export function ContentEditor({ draft, preview: choice, onWrite }: ContentEditorProps) {
  const { settings, setSettings, ready, sample } = choice
  const { project } = useSession()
  const { content: fields } = draft
  const { preview, error, syntax, missingContact } = usePreview(fields, settings, ready)
  const variables = useVariables()
  const code = useRef<CodeHandle | null>(null)
  const subject = useRef<HTMLInputElement>(null)
  const plainText = useRef<HTMLTextAreaElement>(null)
  const lastIn = useRef<"subject" | "text" | "body">("body")
  const fault = syntax ?? draft.refusal.syntax

  const insert = (text: string) => {
    onWrite()
    if (lastIn.current === "body") return code.current?.insert(text)
    const input = lastIn.current === "text" ? plainText.current : subject.current
    if (!input) return
    const [from, to] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length]
    draft.edit({ [lastIn.current]: input.value.slice(0, from) + text + input.value.slice(to) })
    requestAnimationFrame(() => {
      input.focus()
      input.setSelectionRange(from + text.length, from + text.length)
    })
  }
  // Without the code editor, which may fail to load, an image goes to the end.
  const images = useImages((html) =>
    code.current ? code.current.insert(html) : draft.edit({ body: `${fields.body}\n${html}` }),
  )
  const addImages = (files: readonly File[]) => void images.add(files)
  const goToFault = () => {
    onWrite()
    if (fault?.field === "body") requestAnimationFrame(() => code.current?.goTo(fault.line, fault.column))
    else (fault?.field === "text" ? plainText : subject).current?.focus()
  }

  return (
    <>
      <section className={styles.write} aria-label="Content">
        <Envelope
          draft={draft}
          fault={fault}
          subjectRef={subject}
          textRef={plainText}
          onFocus={(field) => {
            lastIn.current = field
          }}
        />
        <ImageButton uploading={images.uploading} onFiles={addImages} />
        <Code
          value={fields.body}
          onChange={(body) => draft.edit({ body })}
          onFocus={() => {
            lastIn.current = "body"
          }}
          onFiles={addImages}
          onHandle={(handle) => {
            code.current = handle
          }}
          variables={variables}
          fault={fault?.field === "body" ? fault : null}
        />
      </section>
      <PreviewPane
        sender={fields.fromName || project.name}
        source={[fields.subject, fields.body, fields.text ?? ""].join("\n")}
        preview={preview}
        error={error}
        fault={fault}
        onFault={goToFault}
        missingContact={missingContact}
        settings={settings}
        onSettings={setSettings}
        sample={sample ?? null}
        variables={variables}
        onInsert={insert}
      />
    </>
  )
}

import { Textarea } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { useLocation } from "wouter"
import type { Segment } from "../../../api/segments.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import { useReturn } from "../../../context/return-focus.tsx"
import { useSession } from "../../../context/session.ts"
import { keyOf } from "../../../parts/send-guide/send-examples.ts"
import { useSaveKey } from "../../../ui/save.tsx"
import { Snippet } from "../../../ui/snippet.tsx"
import { EditorBar } from "../editor/editor-bar.tsx"
import { editorCommands } from "../editor/editor-commands.ts"
import { useSegmentDraft } from "../editor/segment-draft.ts"
import styles from "../editor/segment-editor.module.css"
import { Tracking } from "../editor/tracking.tsx"
import { useSegmentActions } from "../use-segment-actions.tsx"
import { AddMembers } from "./add-members.tsx"
import Members from "./members.tsx"

interface ListEditorProps {
  /** Null for one that has yet to be created. */
  segment: Segment | null
  /** For a new one: the choice between conditions and a list. */
  typeChoice?: ReactNode
}

/** A segment that is a list: who is on it, and how people get there. */
export default function ListEditor({ segment, typeChoice }: ListEditorProps) {
  const [, go] = useLocation()
  const goBack = useReturn()
  const depart = useDeparture()
  const draft = useSegmentDraft(segment, "STATIC")
  const { content: fields, refusal } = draft
  const [isFirst, setFirst] = useState(segment?.memberCount === 0)
  const actions = useSegmentActions(segment, () => void depart(() => goBack("/segments")))
  const save = async () => {
    const saved = await draft.save()
    if (!saved || segment) return
    depart(() => go(`/segments/${saved.id}`, { replace: true }))
  }
  useSaveKey(() => void save())
  useCommands(editorCommands({ segment, actions, parts: ["members"], show: () => {}, save: () => void save() }))
  const settings = (
    <>
      <Textarea
        className={styles.note ?? ""}
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={4}
        aria-label="Note"
        placeholder="Add a note"
        value={fields.description}
        error={refusal.faults.description}
        onChange={(event) => draft.edit({ description: event.currentTarget.value })}
      />
      <Tracking
        segment={segment}
        type="STATIC"
        name={fields.name}
        on={fields.trackMembership}
        onChange={(trackMembership) => draft.edit({ trackMembership })}
      />
    </>
  )
  return (
    <main className={styles.page} data-kind="list">
      <EditorBar segment={segment} draft={draft} actions={segment && actions} onSave={() => void save()} />
      {segment ? (
        <>
          <div className={styles.work}>
            {isFirst ? (
              <FirstMembers segment={segment} onDone={() => setFirst(false)} />
            ) : (
              <Members segment={segment} actions={actions} />
            )}
          </div>
          <aside className={styles.side} aria-label="About this list">
            {settings}
            <Programs segment={segment} />
          </aside>
        </>
      ) : (
        <div className={styles.work}>
          <div className={styles.tabBar}>{typeChoice}</div>
          <div className={styles.panel}>
            <p className={styles.lead}>
              A list has the members that you or your programs put on it, and nobody else. Create it, then paste their
              addresses.
            </p>
            {settings}
          </div>
        </div>
      )}
    </main>
  )
}

const FirstMembers = ({ segment, onDone }: { segment: Segment; onDone(): void }) => (
  <div className={styles.first}>
    <h2 className={styles.firstTitle}>Who is on this list?</h2>
    <AddMembers segment={segment} onDone={onDone} />
  </div>
)

function Programs({ segment }: { segment: Segment }) {
  const { config, project } = useSession()
  const example = `curl ${config.urls.api}/segments/${segment.id}/members \\
  -H "Authorization: Bearer ${keyOf(project)}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "emails": ["ada@example.com"],
    "createMissing": true
  }'`
  return (
    <section aria-label="By program">
      <h2 className={styles.sideTitle}>Programs add members like this</h2>
      <Snippet label="curl command" code={example} />
    </section>
  )
}

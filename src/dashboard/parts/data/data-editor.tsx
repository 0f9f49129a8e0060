import { Button, Tabs, Text } from "@mantine/core"
import { useEffect, useMemo } from "react"
import type { Contact } from "../../api/contacts.ts"
import { useIsReadOnly } from "../../context/session.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { useFocusKept } from "../../ui/keep-focus.ts"
import { lazyPart } from "../../ui/on-demand.tsx"
import { useSaveKey } from "../../ui/save.tsx"
import { useDraft } from "../draft/use-draft.ts"
import { contactKind, dataOf, withJson } from "./contact-draft.ts"
import styles from "./data-editor.module.css"
import { DataFields } from "./data-fields.tsx"
import { readDrafts } from "./draft.ts"
import { writeJson } from "./json-text.ts"
import { patchFor } from "./patch.ts"

const DataJson = lazyPart(() => import("./data-json.tsx"))

export type FieldsView = "fields" | "json"

interface DataEditorProps {
  contact: Contact
  view: FieldsView
  /** Hidden, with its draft kept. */
  hidden: boolean
  /** The contact was deleted elsewhere, and can be created again from the draft. */
  isGone: boolean
  onView(view: FieldsView): void
  onDirty(isDirty: boolean): void
}

/** Edits the custom fields of a contact, field by field or as JSON, and saves all changes in one request. */
export function DataEditor({ contact, view, hidden, isGone, onView, onDirty }: DataEditorProps) {
  const draft = useDraft(contact, contactKind, isGone)
  const { content, base, isDirty, saving, gone } = draft
  const isReadOnly = useIsReadOnly()
  const reading = useMemo(() => readDrafts(content.drafts), [content.drafts])
  const jsonFault = content.json?.fault ?? null
  const data = dataOf(content)
  const patch = data && patchFor(base.data, data)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const save = () => void draft.save()
  useSaveKey(save)
  const { ref: panel, tabIndex, ...focusEvents } = useFocusKept<HTMLDivElement>("[data-field]")
  const backToJson = () => {
    onView("json")
    // the text exists after the next rendering
    requestAnimationFrame(() => panel.current?.querySelector("textarea")?.focus())
  }

  return (
    <div {...focusEvents} className={styles.editor} hidden={hidden}>
      <Tabs.Panel ref={panel} tabIndex={tabIndex} value={view} className={styles.panel ?? ""}>
        {view === "json" ? (
          <DataJson
            text={content.json?.text ?? writeJson(reading.data)}
            fault={jsonFault}
            onChange={(text) => draft.edit(withJson(content, text))}
          />
        ) : jsonFault !== null ? (
          <Notice text={`The JSON cannot be read. ${jsonFault}`} action="Back to the JSON" onAction={backToJson} />
        ) : (
          <DataFields
            drafts={content.drafts}
            faults={reading.faults}
            stored={base.data}
            onChange={(drafts) => draft.edit({ drafts, json: null })}
          />
        )}
      </Tabs.Panel>
      {(isDirty || gone) && (
        <div className={styles.bar} data-unsaved>
          <Text size="sm" c="dimmed" className={styles.say ?? ""} role={gone ? "alert" : undefined}>
            {gone
              ? "This contact was deleted elsewhere"
              : patch
                ? `${count(Object.keys(patch).length, "field")} changed`
                : "Something is not right yet"}
          </Text>
          {isDirty && (
            <Button variant="default" size="xs" onClick={draft.discard}>
              Discard
            </Button>
          )}
          <Button size="xs" loading={saving} disabled={isReadOnly || (gone ? !data : !patch)} onClick={save}>
            {gone ? "Create it again" : "Save"}
          </Button>
        </div>
      )}
    </div>
  )
}

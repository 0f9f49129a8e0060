import { Button, Tabs, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { useUnsaved } from "../../../shell/leave-guard.ts"
import { useSession } from "../../../shell/session.tsx"
import { Notice } from "../../../ui/empty-state.tsx"
import { count, reasonOf } from "../../../ui/format.ts"
import { useSaveKey } from "../../../ui/save.tsx"
import type { Contact, Data } from "../../../wire.ts"
import { changeContact } from "../api.ts"
import { useFocusKept } from "../focus.ts"
import { keepContact, readListsAgain } from "../queries.ts"
import styles from "./data-editor.module.css"
import { DataFields } from "./data-fields.tsx"
import { DataJson } from "./data-json.tsx"
import { type Draft, draftsOf, patchFor, readDrafts, withPatch } from "./draft.ts"
import { readJson, writeJson } from "./json-text.ts"

export type FieldsView = "fields" | "json"

interface Edited {
  /** What the drafts were made from: only what differs from it is saved, so that what others add meanwhile stays. */
  readonly base: Data
  readonly drafts: readonly Draft[]
  /** What is written in the JSON view. The drafts follow it whenever it can be read. */
  readonly json: { readonly text: string; readonly fault: string | null } | null
}

const editedOf = (base: Data, before: readonly Draft[] = []): Edited => ({
  base,
  drafts: draftsOf(base, before),
  json: null,
})

function withJson(edited: Edited, text: string): Edited {
  const reading = readJson(text)
  return "data" in reading
    ? { ...edited, drafts: draftsOf(reading.data, edited.drafts), json: { text, fault: null } }
    : { ...edited, json: { text, fault: reading.fault } }
}

interface DataEditorProps {
  contact: Contact
  view: FieldsView
  /** Out of sight, with what was typed kept. */
  hidden: boolean
  onView(view: FieldsView): void
}

/** Edits the custom fields of a contact, field by field or as JSON, and saves what was changed in one go. */
export function DataEditor({ contact, view, hidden, onView }: DataEditorProps) {
  const { project } = useSession()
  const client = useQueryClient()
  const [edited, setEdited] = useState(() => editedOf(contact.data))
  const [saving, setSaving] = useState(false)
  const reading = useMemo(() => readDrafts(edited.drafts), [edited.drafts])
  const jsonFault = edited.json?.fault ?? null
  const wanted = jsonFault === null && reading.faults.size === 0 ? reading.data : null
  const patch = wanted && patchFor(edited.base, wanted)
  const isDirty = wanted === null || patch !== null
  useUnsaved(isDirty, (path) => path === `/app/contacts/${contact.id}`)

  // data that changed elsewhere is shown, unless something was changed here
  if (edited.base !== contact.data && !isDirty) setEdited(editedOf(contact.data, edited.drafts))

  const save = async () => {
    if (!patch) return
    setSaving(true)
    try {
      const saved = await changeContact(project.id, contact.id, { data: patch })
      // what was typed while the request was under way stays
      setEdited((now) =>
        now === edited ? editedOf(saved.data, now.drafts) : { ...now, base: withPatch(now.base, patch) },
      )
      keepContact(client, project.id, saved)
      void readListsAgain(client, project.id)
    } catch (cause) {
      notifications.show({ color: "red", title: "Not saved", message: reasonOf(cause) })
    }
    setSaving(false)
  }

  useSaveKey(() => void save())
  const { ref: panel, tabIndex, ...focusEvents } = useFocusKept<HTMLDivElement>("[data-field]")
  const backToJson = () => {
    onView("json")
    // the text is there after the next rendering
    requestAnimationFrame(() => panel.current?.querySelector("textarea")?.focus())
  }

  return (
    <div {...focusEvents} className={styles.editor} hidden={hidden}>
      <Tabs.Panel ref={panel} tabIndex={tabIndex} value={view} className={styles.panel ?? ""}>
        {view === "json" ? (
          <DataJson
            text={edited.json?.text ?? writeJson(reading.data)}
            fault={jsonFault}
            onChange={(text) => setEdited(withJson(edited, text))}
          />
        ) : jsonFault !== null ? (
          <Notice text={`The JSON cannot be read. ${jsonFault}`} action="Back to the JSON" onAction={backToJson} />
        ) : (
          <DataFields
            drafts={edited.drafts}
            faults={reading.faults}
            stored={edited.base}
            onChange={(drafts) => setEdited({ ...edited, drafts, json: null })}
          />
        )}
      </Tabs.Panel>
      {isDirty && (
        <div className={styles.bar} data-unsaved>
          <Text size="sm" c="dimmed" className={styles.say ?? ""}>
            {patch ? `${count(Object.keys(patch).length, "field")} changed` : "Something is not right yet"}
          </Text>
          <Button variant="default" size="xs" onClick={() => setEdited(editedOf(contact.data, edited.drafts))}>
            Discard
          </Button>
          <Button size="xs" loading={saving} disabled={!patch} onClick={save}>
            Save
          </Button>
        </div>
      )}
    </div>
  )
}

import { Button, Tabs, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { useLocation } from "wouter"
import { changeContact, findContact, getContact, saveContact } from "../../api/contacts.ts"
import { isMissing } from "../../api/http.ts"
import type { Contact, Data } from "../../api/wire.ts"
import { useRelease, useUnsaved } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { keepContact, readContactsAgain, readListsAgain } from "../../queries/contacts.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { count, reasonOf } from "../../ui/format.ts"
import { useFocusKept } from "../../ui/keep-focus.ts"
import { useSaveKey } from "../../ui/save.tsx"
import { ruleOn } from "../draft/overwrite.tsx"
import styles from "./data-editor.module.css"
import { DataFields } from "./data-fields.tsx"
import { DataJson } from "./data-json.tsx"
import { type Draft, draftsOf, readDrafts } from "./draft.ts"
import { readJson, writeJson } from "./json-text.ts"
import { isContested, patchFor, withPatch } from "./patch.ts"

export type FieldsView = "fields" | "json"

type Version = Pick<Contact, "data" | "updatedAt">

interface Edited {
  /** What the drafts were made from: only what differs from it is saved, so that what others add meanwhile stays. */
  readonly base: Version
  readonly drafts: readonly Draft[]
  /** What is written in the JSON view. The drafts follow it whenever it can be read. */
  readonly json: { readonly text: string; readonly fault: string | null } | null
}

const editedOf = (base: Version, before: readonly Draft[] = []): Edited => ({
  base,
  drafts: draftsOf(base.data, before),
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
  /** The contact was deleted elsewhere, and can be made again of what stands here. */
  gone: boolean
  onView(view: FieldsView): void
  onDirty(isDirty: boolean): void
}

/** Edits the custom fields of a contact, field by field or as JSON, and saves what was changed in one go. */
export function DataEditor({ contact, view, hidden, gone, onView, onDirty }: DataEditorProps) {
  const { project } = useSession()
  const client = useQueryClient()
  const release = useRelease()
  const [, go] = useLocation()
  const [edited, setEdited] = useState(() => editedOf(contact))
  const [saving, setSaving] = useState(false)
  const reading = useMemo(() => readDrafts(edited.drafts), [edited.drafts])
  const jsonFault = edited.json?.fault ?? null
  const wanted = jsonFault === null && reading.faults.size === 0 ? reading.data : null
  const patch = wanted && patchFor(edited.base.data, wanted)
  const isDirty = wanted === null || patch !== null
  useUnsaved(isDirty, (path) => path === `/app/contacts/${contact.id}`)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  // data that changed elsewhere is shown, unless something was changed here
  if (edited.base.data !== contact.data && !isDirty) setEdited(editedOf(contact, edited.drafts))

  const attempt = async (work: () => Promise<void>) => {
    setSaving(true)
    try {
      await work()
    } catch (cause) {
      if (isMissing(cause)) void readContactsAgain(client, project.id)
      else notifications.show({ color: "red", title: "Not saved", message: reasonOf(cause) })
    }
    setSaving(false)
  }
  const save = async (patch: Data) => {
    const { base } = edited
    const stored = await getContact(project.id, contact.id)
    const ruling = isContested(base.data, stored.data, patch) ? await ruleOn(base, stored, "contact") : "save"
    if (ruling === "load") {
      setEdited(editedOf(stored, edited.drafts))
      keepContact(client, project.id, stored)
    }
    if (ruling !== "save") return
    const saved = await changeContact(project.id, contact.id, { data: patch })
    // what was typed while the request was under way stays
    setEdited((now) =>
      now === edited
        ? editedOf(saved, now.drafts)
        : { ...now, base: { ...now.base, data: withPatch(now.base.data, patch) } },
    )
    keepContact(client, project.id, saved)
    void readListsAgain(client, project.id)
  }
  const createAgain = async (data: Data) => {
    const { email, subscribed } = contact
    // one that came back meanwhile has chosen for itself
    const isBack = (await findContact(project.id, email)) !== undefined
    const { _meta, ...created } = await saveContact(project.id, { email, data, ...(isBack ? {} : { subscribed }) })
    keepContact(client, project.id, created)
    void readListsAgain(client, project.id)
    release()
    go(`/contacts/${created.id}${location.search}`, { replace: true })
  }
  const saveOrCreate = () => {
    if (saving) return
    if (gone && wanted) void attempt(() => createAgain(wanted))
    if (!gone && patch) void attempt(() => save(patch))
  }

  useSaveKey(saveOrCreate)
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
            stored={edited.base.data}
            onChange={(drafts) => setEdited({ ...edited, drafts, json: null })}
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
            <Button variant="default" size="xs" onClick={() => setEdited(editedOf(contact, edited.drafts))}>
              Discard
            </Button>
          )}
          <Button size="xs" loading={saving} disabled={gone ? !wanted : !patch} onClick={saveOrCreate}>
            {gone ? "Create it again" : "Save"}
          </Button>
        </div>
      )}
    </div>
  )
}

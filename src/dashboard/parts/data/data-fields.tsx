import type { Data } from "../../api/types.ts"
import { useFields } from "../../queries/contacts.ts"
import { AddField } from "./add-field.tsx"
import styles from "./data-fields.module.css"
import { type Draft, editDraft, readDrafts } from "./draft.ts"
import { FieldRow } from "./field-row.tsx"
import { kindOfType } from "./kinds.ts"
import { patchFor } from "./patch.ts"

interface DataFieldsProps {
  drafts: readonly Draft[]
  /** The faults of drafts, by their id. */
  faults: ReadonlyMap<string, string>
  stored: Data
  onChange(drafts: readonly Draft[]): void
}

/** The custom fields, each with the editor of its type. */
export function DataFields({ drafts, faults, stored, onChange }: DataFieldsProps) {
  const fields = useFields().data ?? []
  const known = fields
    .filter(({ isCustom }) => isCustom)
    .map(({ field, type }) => ({ key: field.slice("data.".length), kind: kindOfType(type) }))
  const taken = drafts.map(({ key }) => key)
  return (
    <div className={styles.fields}>
      {drafts.length === 0 && (
        <p className={styles.nothing}>
          No fields yet. They hold what you know of a contact, and fill the variables of templates.
        </p>
      )}
      {drafts.map((draft) => (
        <FieldRow
          key={draft.id}
          draft={draft}
          label={draft.key}
          faults={faults}
          changed={isChanged(stored, draft)}
          top
          onEdit={(id, edit) => onChange(editDraft(drafts, id, edit))}
        />
      ))}
      <AddField known={known} taken={taken} onAdd={(draft) => onChange([...drafts, draft])} />
    </div>
  )
}

function isChanged(stored: Data, draft: Draft): boolean {
  const before = Object.hasOwn(stored, draft.key) ? { [draft.key]: stored[draft.key] } : {}
  const { data, faults } = readDrafts([draft])
  return faults.size > 0 || patchFor(before, data) !== null
}

import { Autocomplete, Button, NativeSelect } from "@mantine/core"
import { useState } from "react"
import styles from "./data-fields.module.css"
import { blankDraft, type Draft, keyFault } from "./draft.ts"
import { innerKinds, type Kind, kinds, topKinds } from "./kinds.ts"

export interface AddFieldProps {
  /** Fields of other contacts, with their type. */
  known?: readonly { readonly key: string; readonly kind: Kind }[]
  taken: readonly string[]
  /** Whether it adds to a value instead of the contact. */
  inner?: boolean
  /** Items of lists have no name. */
  list?: boolean
  onAdd(draft: Draft): void
}

interface AddFieldFormProps extends AddFieldProps {
  onClose(): void
}

/** The name and type of a new field; a known name sets the type. */
export default function AddFieldForm({
  known = [],
  taken,
  inner = false,
  list = false,
  onAdd,
  onClose,
}: AddFieldFormProps) {
  const [key, setKey] = useState("")
  const [chosen, setChosen] = useState<Kind | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const kindOf = (name: string) => known.find((field) => field.key === name)?.kind
  const kind = chosen ?? kindOf(key) ?? "string"

  const name = (text: string) => {
    setKey(text)
    setFault(null)
    if (kindOf(text)) setChosen(null)
  }
  const add = () => {
    const trimmed = list ? "" : key.trim()
    const reason = list ? null : keyFault(trimmed, taken, !inner)
    if (reason) setFault(reason)
    else onAdd(blankDraft(trimmed, kind))
  }

  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        onClose()
      }}
    >
      {!list && (
        <Autocomplete
          className={styles.addKey ?? ""}
          size="sm"
          aria-label="Name of the field"
          placeholder="Name"
          data={known.map((field) => field.key).filter((field) => !taken.includes(field))}
          value={key}
          onChange={name}
          error={fault}
          autoFocus
          autoCapitalize="off"
          spellCheck={false}
          limit={8}
        />
      )}
      <NativeSelect
        className={styles.addKind ?? ""}
        size="sm"
        aria-label="Type of the field"
        data={(inner ? innerKinds : topKinds).map((value) => ({ value, label: kinds[value].name }))}
        value={kind}
        onChange={({ currentTarget: { value } }) => setChosen(innerKinds.find((one) => one === value) ?? "string")}
        autoFocus={list}
      />
      <Button type="submit" size="sm" variant="default">
        Add
      </Button>
    </form>
  )
}

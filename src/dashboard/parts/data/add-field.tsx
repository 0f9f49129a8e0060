import { Autocomplete, Button, NativeSelect } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useRef, useState } from "react"
import styles from "./data-fields.module.css"
import { blankDraft, type Draft, keyFault } from "./draft.ts"
import { innerKinds, type Kind, kinds, topKinds } from "./kinds.ts"

interface AddFieldProps {
  /** Fields of other contacts, with their type. */
  known?: readonly { readonly key: string; readonly kind: Kind }[]
  taken: readonly string[]
  /** Whether it adds to a value instead of the contact. */
  inner?: boolean
  /** Items of lists have no name. */
  list?: boolean
  onAdd(draft: Draft): void
}

/** A button that turns into the row for a new field: its name and type; a known name sets the type. */
export function AddField({ known = [], taken, inner = false, list = false, onAdd }: AddFieldProps) {
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState("")
  const [kind, setKind] = useState<Kind>("string")
  const [fault, setFault] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)

  const close = () => {
    setOpen(false)
    setKey("")
    setKind("string")
    setFault(null)
    requestAnimationFrame(() => button.current?.focus())
  }
  const name = (text: string) => {
    setKey(text)
    setFault(null)
    const same = known.find((field) => field.key === text)
    if (same) setKind(same.kind)
  }
  const add = () => {
    const trimmed = list ? "" : key.trim()
    const reason = list ? null : keyFault(trimmed, taken, !inner)
    if (reason) return setFault(reason)
    const draft = blankDraft(trimmed, kind)
    onAdd(draft)
    setOpen(false)
    setKey("")
    setKind("string")
    // the new field exists after the next rendering
    requestAnimationFrame(() => focusValue(button.current, list ? String(taken.length + 1) : trimmed))
  }

  if (!open) {
    return (
      <div className={styles.add}>
        <Button
          ref={button}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.8} />}
          onClick={() => setOpen(true)}
        >
          {list ? "Add an item" : "Add a field"}
        </Button>
      </div>
    )
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
        close()
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
        onChange={({ currentTarget: { value } }) => setKind(innerKinds.find((one) => one === value) ?? "string")}
        autoFocus={list}
      />
      <Button type="submit" size="sm" variant="default">
        Add
      </Button>
    </form>
  )
}

/** Focuses the field that was added next to the button. */
function focusValue(button: HTMLElement | null, label: string): void {
  const row = button?.parentElement?.parentElement?.querySelector(`:scope > [data-field="${CSS.escape(label)}"]`)
  row?.querySelector<HTMLElement>("input, textarea")?.focus()
}

import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { lazy, openOnDemand } from "../../ui/on-demand.tsx"
import type { AddFieldProps } from "./add-field-form.tsx"
import styles from "./data-fields.module.css"
import type { Draft } from "./draft.ts"

const AddFieldForm = lazy(() => import("./add-field-form.tsx"))
const whenLoaded = openOnDemand(AddFieldForm.load, (_loaded, open: () => void) => open())

/** A button that turns into the row for a new field. */
export function AddField(props: AddFieldProps) {
  const { taken, list = false, onAdd } = props
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  // What gets the focus is there after the next rendering.
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const add = (draft: Draft) => {
    onAdd(draft)
    setOpen(false)
    requestAnimationFrame(() => focusValue(button.current, list ? String(taken.length + 1) : draft.key))
  }

  if (open) return <AddFieldForm {...props} onAdd={add} onClose={close} />
  return (
    <div className={styles.add}>
      <Button
        ref={button}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.8} />}
        onClick={() => whenLoaded(() => setOpen(true))}
      >
        {list ? "Add an item" : "Add a field"}
      </Button>
    </div>
  )
}

/** Focuses the field that was added next to the button. */
function focusValue(button: HTMLElement | null, label: string): void {
  const row = button?.parentElement?.parentElement?.querySelector(`:scope > [data-field="${CSS.escape(label)}"]`)
  row?.querySelector<HTMLElement>("input, textarea")?.focus()
}

import { useState } from "react"
import { lazyPart, openOnDemand } from "../../../ui/on-demand.tsx"
import { FieldButton, type FieldPickerProps } from "./field-button.tsx"

const FieldChoice = lazyPart(() => import("./field-choice.tsx"), Closed)
const whenLoaded = openOnDemand(FieldChoice.load, (_loaded, open: () => void) => open())

/** Chooses the subject of a rule by name: a field, an event, mail or a segment. */
export function FieldPicker(props: FieldPickerProps) {
  // A rule that was just added asks at once.
  const [hasOpened, setOpened] = useState(props.field === "")
  if (hasOpened) return <FieldChoice {...props} />
  return <Closed {...props} onOpen={() => whenLoaded(() => setOpened(true))} />
}

/** The same before the list is loaded. */
function Closed({ field, catalogue, fault, onOpen }: FieldPickerProps & { onOpen?: () => void }) {
  return (
    <FieldButton
      choice={catalogue.choiceOf(field)}
      fault={fault}
      aria-haspopup="listbox"
      aria-expanded={false}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
        event.preventDefault()
        onOpen?.()
      }}
    />
  )
}

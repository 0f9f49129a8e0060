import { Autocomplete, type AutocompleteProps } from "@mantine/core"
import { useEventNames, useSegments } from "../../queries/segments.ts"

interface EventPickerProps
  extends Pick<AutocompleteProps, "aria-label" | "label" | "description" | "error" | "placeholder"> {
  value: string
  onChange(name: string): void
  /** Whether a dialog focuses it first. */
  focused?: boolean
}

/** The names of events that are recorded without being tracked (contract B4.4). */
const system = [
  "contact.subscribed",
  "contact.unsubscribed",
  "email.sent",
  "email.delivery",
  "email.open",
  "email.click",
  "email.bounce",
  "email.complaint",
  "email.received",
]

/** The name of an event: one that was recorded, one of a tracked segment, or any other. */
export function EventPicker({ value, onChange, focused = false, ...field }: EventPickerProps) {
  const names = useEventNames().data ?? []
  const segments = useSegments().data ?? []
  const ofSegments = segments
    .filter(({ trackMembership }) => trackMembership)
    .flatMap(({ slug }) => [`segment.${slug}.entry`, `segment.${slug}.exit`])
  const own = names.filter((name) => !system.includes(name) && !ofSegments.includes(name))
  const groups = [
    { group: "Your events", items: [...own] },
    { group: "Segments", items: ofSegments },
    { group: "Recorded by itself", items: system },
  ]
  return (
    <Autocomplete
      {...field}
      size="sm"
      data={groups.filter(({ items }) => items.length > 0)}
      limit={60}
      maxDropdownHeight={300}
      comboboxProps={{ shadow: "lg" }}
      autoCapitalize="off"
      spellCheck={false}
      data-autofocus={focused || undefined}
      value={value}
      onChange={onChange}
    />
  )
}

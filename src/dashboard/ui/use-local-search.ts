import { type RefObject, useRef, useState } from "react"

interface LocalSearch<Item> {
  readonly found: readonly Item[]
  /** For the `SearchField` of the list. */
  readonly field: {
    readonly value: string
    readonly fieldRef: RefObject<HTMLInputElement | null>
    onChange(text: string): void
  }
  clear(): void
}

/** Searches a list that is loaded as a whole: the items whose text contains what was typed, in either case. */
export function useLocalSearch<Item>(items: readonly Item[], textOf: (item: Item) => string): LocalSearch<Item> {
  const [text, setText] = useState("")
  const fieldRef = useRef<HTMLInputElement>(null)
  const wanted = text.trim().toLowerCase()
  return {
    found: items.filter((item) => textOf(item).toLowerCase().includes(wanted)),
    field: { value: text, fieldRef, onChange: setText },
    clear: () => setText(""),
  }
}

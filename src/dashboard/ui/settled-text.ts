import { useDebouncedValue } from "@mantine/hooks"
import { useEffect, useRef, useState } from "react"

const pause = 200

/**
 * The text of a field whose settled value is stored elsewhere, for example in the URL. `onSettle` is called when typing
 * pauses; a new settled value replaces the text.
 */
export function useSettledText(value: string, onSettle: (text: string) => void) {
  const [text, setText] = useState(value)
  const [settled] = useDebouncedValue(text.trim(), pause)
  const written = useRef(value)
  const latest = useRef(onSettle)
  useEffect(() => {
    latest.current = onSettle
  })
  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    latest.current(settled)
  }, [settled])
  useEffect(() => {
    if (value === written.current) return
    written.current = value
    setText(value)
  }, [value])
  return [text, setText] as const
}

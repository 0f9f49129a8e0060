import { TextInput } from "@mantine/core"
import { useRef, useState } from "react"
import { lazyPart } from "../../../ui/on-demand.tsx"
import styles from "./builder.module.css"
import type { SuggestInputProps } from "./suggesting-input.tsx"

const SuggestingInput = lazyPart(() => import("./suggesting-input.tsx"))

/** A value input that suggests the values of contacts once it has the focus. */
export function SuggestInput(props: SuggestInputProps) {
  const { value, invalid, leading, onText } = props
  const input = useRef<HTMLInputElement>(null)
  const [selected, setSelected] = useState<readonly [number, number]>()
  const suggest = () => {
    const { current } = input
    if (current && current === document.activeElement)
      setSelected([current.selectionStart ?? 0, current.selectionEnd ?? 0])
  }
  if (selected) return <SuggestingInput {...props} selected={selected} />
  return (
    <TextInput
      ref={input}
      className={styles.text ?? ""}
      size="sm"
      role="combobox"
      aria-label="Value"
      aria-haspopup="listbox"
      aria-expanded={false}
      {...leading}
      attributes={{ input: { dir: "auto" } }}
      error={invalid}
      inputMode={value.kind === "number" ? "decimal" : "text"}
      placeholder="Value"
      value={value.text}
      // Without its suggestions it is a field like others.
      onFocus={() => void SuggestingInput.load().then(suggest, () => {})}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  )
}

import { Autocomplete } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { listValues } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import type { Value } from "../model/values.ts"
import styles from "./builder.module.css"
import type { Leading } from "./kind-menu.tsx"

export interface SuggestInputProps {
  field: string
  value: Value
  invalid: boolean
  leading: Leading
  onText(text: string): void
}

interface SuggestingInputProps extends SuggestInputProps {
  /** What was selected in the field that it replaces, which had the focus. */
  selected: readonly [from: number, to: number]
}

const offered = 100

/** A value input with the values of contacts to choose from. It takes the focus. */
export default function SuggestingInput({ field, value, invalid, leading, onText, selected }: SuggestingInputProps) {
  const projectId = useSession().project.id
  const input = useRef<HTMLInputElement>(null)
  const [from, to] = selected
  useEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(from, to)
  }, [from, to])
  const { data } = useQuery({
    queryKey: ["field-values", projectId, field],
    queryFn: () => listValues(projectId, field),
    staleTime: 60_000,
    retry: false,
  })
  const known = data?.values.filter((one) => typeof one === value.kind && one !== "").map(String) ?? []
  return (
    <Autocomplete
      ref={input}
      className={styles.text ?? ""}
      size="sm"
      aria-label="Value"
      {...leading}
      attributes={{ input: { dir: "auto" } }}
      error={invalid}
      inputMode={value.kind === "number" ? "decimal" : "text"}
      placeholder="Value"
      data={[...new Set(known)].slice(0, offered)}
      limit={20}
      maxDropdownHeight={260}
      comboboxProps={{ shadow: "lg", width: "max-content", position: "bottom-start" }}
      value={value.text}
      onChange={onText}
    />
  )
}

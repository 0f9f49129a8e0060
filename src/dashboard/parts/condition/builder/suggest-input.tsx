import { Autocomplete } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { listValues } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import type { Value } from "../model/values.ts"
import styles from "./builder.module.css"
import type { Leading } from "./kind-menu.tsx"

interface SuggestInputProps {
  field: string
  value: Value
  invalid: boolean
  leading: Leading
  onText(text: string): void
}

const offered = 100

/** A value input that suggests the values of contacts once it has the focus. */
export function SuggestInput({ field, value, invalid, leading, onText }: SuggestInputProps) {
  const projectId = useSession().project.id
  const [entered, setEntered] = useState(false)
  const { data } = useQuery({
    queryKey: ["field-values", projectId, field],
    queryFn: () => listValues(projectId, field),
    enabled: entered,
    staleTime: 60_000,
    retry: false,
  })
  const known = data?.values.filter((one) => typeof one === value.kind && one !== "").map(String) ?? []
  return (
    <Autocomplete
      className={styles.text ?? ""}
      size="sm"
      aria-label="Value"
      {...leading}
      error={invalid}
      inputMode={value.kind === "number" ? "decimal" : "text"}
      placeholder="Value"
      data={[...new Set(known)].slice(0, offered)}
      limit={20}
      maxDropdownHeight={260}
      comboboxProps={{ shadow: "lg", width: "max-content", position: "bottom-start" }}
      value={value.text}
      onFocus={() => setEntered(true)}
      onChange={onText}
    />
  )
}

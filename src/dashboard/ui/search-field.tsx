import { CloseButton, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import { KeyCaps } from "./keys.tsx"
import styles from "./search-field.module.css"

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange(text: string): void
  fieldRef: RefObject<HTMLInputElement | null>
  className?: string | undefined
}

/** The search of a list, reached by `/`. Escape clears it, or leaves it if it is empty. */
export function SearchField({ label, placeholder, value, onChange, fieldRef, className }: SearchFieldProps) {
  return (
    <TextInput
      ref={fieldRef}
      className={`${styles.search} ${className ?? ""}`}
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        if (value === "") event.currentTarget.blur()
        else onChange("")
      }}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      rightSection={
        value ? (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => onChange("")} />
        ) : (
          <span className={styles.hint} aria-hidden="true">
            <KeyCaps keys={["/"]} />
          </span>
        )
      }
    />
  )
}

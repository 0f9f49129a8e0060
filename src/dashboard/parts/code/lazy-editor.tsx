import { Loader } from "@mantine/core"
import type { ReactNode } from "react"
import { ErrorBoundary } from "../../ui/error-boundary.tsx"
import styles from "./lazy-editor.module.css"

interface LazyEditorProps {
  label: string
  value: string
  onChange(value: string): void
  onFocus?: (() => void) | undefined
  /** The code editor, from `lazy`. */
  children: ReactNode
}

/** In the place of a code editor that is being loaded. */
export const EditorLoading = () => <Loader m="auto" color="gray" type="dots" aria-label="Loading the editor" />

/** The text of a code editor that is not there yet. */
export const PlainText = ({ value }: { value: string }) => <pre className={styles.text}>{value}</pre>

/** A code editor that is loaded when it is needed. If it cannot be loaded, a plain text field replaces it. */
export const LazyEditor = ({ label, value, onChange, onFocus, children }: LazyEditorProps) => (
  <ErrorBoundary
    fallback={() => (
      <textarea
        className={styles.plain}
        aria-label={label}
        spellCheck={false}
        value={value}
        onFocus={onFocus}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )}
  >
    {children}
  </ErrorBoundary>
)

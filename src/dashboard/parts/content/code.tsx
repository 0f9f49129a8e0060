import { Loader } from "@mantine/core"
import { lazy, Suspense } from "react"
import { ErrorBoundary } from "../../ui/error-boundary.tsx"
import type { CodeEditorProps } from "./code/handle.ts"
import styles from "./content-editor.module.css"

const CodeEditor = lazy(() => import("./code/code-editor.tsx"))

/** The editor of the body, loaded when it is needed. Where it cannot be, a plain field takes its place. */
export function Code(props: CodeEditorProps) {
  return (
    <div className={styles.code} data-fault={props.fault ? true : undefined}>
      <ErrorBoundary fallback={() => <Plain {...props} />}>
        <Suspense fallback={<Loader m="auto" color="gray" type="dots" aria-label="Loading the editor" />}>
          <CodeEditor {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}

const Plain = ({ value, onChange, onFocus }: CodeEditorProps) => (
  <textarea
    className={styles.plain}
    aria-label="Body"
    spellCheck={false}
    value={value}
    onFocus={onFocus}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

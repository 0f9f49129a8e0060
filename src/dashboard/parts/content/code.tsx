import { lazy } from "../../ui/on-demand.tsx"
import { EditorLoading, LazyEditor } from "../code/lazy-editor.tsx"
import type { CodeEditorProps } from "./code/handle.ts"
import styles from "./content-editor.module.css"

const CodeEditor = lazy(() => import("./code/code-editor.tsx"), EditorLoading)

/** The editor of the body. */
export function Code(props: CodeEditorProps) {
  return (
    <div className={styles.code} data-fault={props.fault ? true : undefined}>
      <LazyEditor label="Body" value={props.value} onChange={props.onChange} onFocus={props.onFocus}>
        <CodeEditor {...props} />
      </LazyEditor>
    </div>
  )
}

import { afterFirstView } from "../../ui/first-sign.ts"
import { lazy } from "../../ui/on-demand.tsx"
import { LazyEditor, PlainText } from "../code/lazy-editor.tsx"
import type { CodeEditorProps } from "./code/handle.ts"
import styles from "./content-editor.module.css"

/** It is as large as the page itself, so it is not loaded beside that. */
const CodeEditor = lazy<CodeEditorProps>(() => afterFirstView().then(() => import("./code/code-editor.tsx")), PlainText)

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

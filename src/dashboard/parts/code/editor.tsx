import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { bracketMatching, foldKeymap, indentOnInput } from "@codemirror/language"
import { type Diagnostic, setDiagnostics } from "@codemirror/lint"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view"
import { useEffect, useRef, useState } from "react"
import styles from "./editor.module.css"
import { theme } from "./theme.ts"

interface EditorProps {
  /** The text. A change from outside the editor replaces its content. */
  value: string
  onChange(value: string): void
  onFocus?(): void
  /** Files that were pasted, or dropped, in which case the cursor is where they were. Without it they are ignored. */
  onFiles?(files: readonly File[]): void
  /** Null once the editor is unmounted. */
  onView(view: EditorView | null): void
  label: string
  /** A description of the content, in a few words. */
  about: string
  /** The language and its extensions; only the initial value is used. */
  extensions: Extension
  /** The faults with their positions in the current text. Called again when the function changes. */
  faultsIn(state: EditorState): readonly Fault[]
}

export type Fault = Pick<Diagnostic, "from" | "to" | "message">

/** A field for code. It has large dependencies, so import it only in files that are loaded on demand. */
export function Editor(props: EditorProps) {
  const { value, faultsIn } = props
  const parent = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const [view, setView] = useState<EditorView | null>(null)
  const [hasIndented, setIndented] = useState(false)

  useEffect(() => {
    if (!parent.current) return
    const made = new EditorView({ parent: parent.current, state: stateFor(latest, setIndented) })
    setView(made)
    latest.current.onView(made)
    return () => {
      latest.current.onView(null)
      made.destroy()
    }
  }, [])

  useEffect(() => {
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [view, value])

  useEffect(() => {
    if (!view) return
    const diagnostics = faultsIn(view.state).map((fault) => ({ ...fault, severity: "error" as const }))
    view.dispatch(setDiagnostics(view.state, diagnostics))
  }, [view, faultsIn])

  return (
    <div className={styles.editor}>
      <div ref={parent} className={styles.view} />
      {hasIndented && (
        <p role="status" className={styles.hint}>
          Tab indents. Esc and then Tab leaves the editor.
        </p>
      )}
    </div>
  )
}

/** Moves the cursor to a position and scrolls it into view. */
export function goTo(view: EditorView, offset: number): void {
  const anchor = Math.min(offset, view.state.doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
  view.focus()
}

/** `noteIndented` is told of each Tab and Shift-Tab, which may have been meant to leave, and of leaving. */
function stateFor(
  latest: { readonly current: EditorProps },
  noteIndented: (hasIndented: boolean) => void,
): EditorState {
  const { value, label, about, extensions } = latest.current
  const note = () => {
    noteIndented(true)
    return false
  }
  return EditorState.create({
    doc: value,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      dropCursor(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      search({ top: true }),
      highlightSelectionMatches(),
      extensions,
      EditorView.lineWrapping,
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        { key: "Tab", run: note, shift: note },
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-description": `${about} Escape and then Tab leaves the editor.`,
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        if (update.focusChanged && update.view.hasFocus) latest.current.onFocus?.()
        if (update.focusChanged && !update.view.hasFocus) noteIndented(false)
      }),
      fileDrops(latest),
      theme,
    ],
  })
}

function fileDrops(latest: { readonly current: EditorProps }): Extension {
  /** Passes on the files, if there are any. True when the editor must not handle the event itself. */
  function take(event: Event, data: DataTransfer | null, place?: () => void): boolean {
    const files = [...(data?.files ?? [])]
    // A copied part of a page or document has its text beside a picture of it.
    if (files.length === 0 || !latest.current.onFiles || data?.types.includes("text/plain")) return false
    event.preventDefault()
    place?.()
    latest.current.onFiles(files)
    return true
  }
  return EditorView.domEventHandlers({
    paste: (event) => take(event, event.clipboardData),
    drop: (event, view) =>
      take(event, event.dataTransfer, () => {
        const anchor = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length
        view.dispatch({ selection: { anchor } })
      }),
  })
}

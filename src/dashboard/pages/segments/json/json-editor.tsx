import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language"
import { setDiagnostics } from "@codemirror/lint"
import { search, searchKeymap } from "@codemirror/search"
import { EditorState } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view"
import { useEffect, useRef, useState } from "react"
import { theme } from "../../templates/code/theme.ts"
import { jsonLanguage, type Words, wordCompletion } from "./json-language.ts"
import type { Stretch } from "./json-places.ts"

export interface PlacedFault extends Stretch {
  readonly message: string
}

export interface JsonEditorProps {
  /** Later changes of it are taken over when they did not come from the editor. */
  value: string
  onChange(value: string): void
  faults: readonly PlacedFault[]
  words: Words
  /** Gives a way to put the cursor to a place; null once the editor is gone. */
  onReady(goTo: ((offset: number) => void) | null): void
}

/** JSON with its faults where they are. This file is loaded with the first condition that is looked at as JSON. */
export default function JsonEditor(props: JsonEditorProps) {
  const { value, faults } = props
  const parent = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const [view, setView] = useState<EditorView | null>(null)

  useEffect(() => {
    if (!parent.current) return
    const made = new EditorView({ parent: parent.current, state: stateFor(latest) })
    setView(made)
    latest.current.onReady((offset) => {
      const anchor = Math.min(offset, made.state.doc.length)
      made.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
      made.focus()
    })
    return () => {
      latest.current.onReady(null)
      made.destroy()
    }
  }, [])

  useEffect(() => {
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [view, value])

  useEffect(() => {
    if (!view) return
    const end = view.state.doc.length
    const diagnostics = faults.map(({ from, to, message }) => ({
      from: Math.min(from, end),
      to: Math.min(to, end),
      severity: "error" as const,
      message,
    }))
    view.dispatch(setDiagnostics(view.state, diagnostics))
  }, [view, faults])

  return <div ref={parent} style={{ height: "100%", minHeight: 0 }} />
}

function stateFor(latest: { readonly current: JsonEditorProps }): EditorState {
  return EditorState.create({
    doc: latest.current.value,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      indentUnit.of("  "),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      search({ top: true }),
      jsonLanguage,
      jsonLanguage.data.of({ autocomplete: wordCompletion(() => latest.current.words) }),
      EditorView.lineWrapping,
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        "aria-label": "Condition as JSON",
        "aria-description": "Escape and then Tab leaves the editor.",
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString())
      }),
      theme,
    ],
  })
}

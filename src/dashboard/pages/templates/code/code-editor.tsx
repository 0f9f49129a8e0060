import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { html, htmlLanguage } from "@codemirror/lang-html"
import { bracketMatching, foldKeymap, indentOnInput } from "@codemirror/language"
import { setDiagnostics } from "@codemirror/lint"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { EditorState } from "@codemirror/state"
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
import type { CodeEditorProps, CodeHandle } from "./handle.ts"
import { mustacheCompletion, mustacheTags } from "./mustache.ts"
import { theme } from "./theme.ts"

/** HTML with template tags. This file and what it needs are loaded with the first template that is opened. */
export default function CodeEditor(props: CodeEditorProps) {
  const { value, fault } = props
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
    latest.current.onHandle(handleOf(made))
    return () => {
      latest.current.onHandle(null)
      made.destroy()
    }
  }, [])

  useEffect(() => {
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [view, value])

  useEffect(() => {
    if (!view) return
    const diagnostics = fault ? [{ ...rangeOf(view, fault), severity: "error" as const, message: fault.message }] : []
    view.dispatch(setDiagnostics(view.state, diagnostics))
  }, [view, fault])

  return <div ref={parent} style={{ height: "100%", minHeight: 0 }} />
}

function stateFor(latest: { readonly current: CodeEditorProps }): EditorState {
  return EditorState.create({
    doc: latest.current.value,
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
      html({ matchClosingTags: true, autoCloseTags: true }),
      htmlLanguage.data.of({ closeBrackets: { brackets: ["{", "(", "[", "'", '"'], before: ")]}:;<>\"' " } }),
      htmlLanguage.data.of({ autocomplete: mustacheCompletion(() => latest.current.variables) }),
      mustacheTags,
      EditorView.lineWrapping,
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        "aria-label": "Body",
        "aria-description": "HTML with variables. Escape and then Tab leaves the editor.",
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        if (update.focusChanged && update.view.hasFocus) latest.current.onFocus()
      }),
      theme,
    ],
  })
}

function handleOf(view: EditorView): CodeHandle {
  return {
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
      view.focus()
    },
    goTo(line, column) {
      const { from } = rangeOf(view, { line, column })
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
      view.focus()
    },
  }
}

/** The place of a fault, as far as it still is within the text, up to the end of the tag or word it begins. */
function rangeOf(view: EditorView, { line, column }: { line: number; column: number }): { from: number; to: number } {
  const found = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  const before = [...found.text].slice(0, column - 1).join("").length
  const from = Math.min(found.from + before, found.to)
  const length = /^(?:\{\{[^}]*\}{0,3}|\S+|\s+)/.exec(found.text.slice(before))?.[0].length ?? 0
  return { from, to: Math.min(from + length, found.to) }
}

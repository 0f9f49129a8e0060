import { html, htmlLanguage } from "@codemirror/lang-html"
import type { EditorState, Extension } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import { useCallback, useEffect, useRef, useState } from "react"
import { Editor, type Fault, goTo } from "../../code/editor.tsx"
import type { CodeEditorProps, CodeHandle, Completion } from "./handle.ts"
import { mustacheCompletion, mustacheTags } from "./mustache.ts"

/** HTML with template tags. This file is loaded when the first template is opened. */
export default function CodeEditor({ value, onChange, onFocus, onFiles, onHandle, variables, fault }: CodeEditorProps) {
  const offered = useRef(variables)
  useEffect(() => {
    offered.current = variables
  })
  const [language] = useState(() => templateLanguage(() => offered.current))
  const faultsIn = useCallback(
    (state: EditorState): Fault[] => (fault ? [{ ...rangeOf(state, fault), message: fault.message }] : []),
    [fault],
  )
  return (
    <Editor
      value={value}
      onChange={onChange}
      onFocus={onFocus}
      onFiles={onFiles}
      onView={(view) => onHandle(view && handleOf(view))}
      label="Body"
      about="HTML with variables."
      extensions={language}
      faultsIn={faultsIn}
    />
  )
}

const templateLanguage = (variables: () => readonly Completion[]): Extension => [
  html({ matchClosingTags: true, autoCloseTags: true }),
  htmlLanguage.data.of({ closeBrackets: { brackets: ["{", "(", "[", "'", '"'], before: ")]}:;<>\"' " } }),
  htmlLanguage.data.of({ autocomplete: mustacheCompletion(variables) }),
  mustacheTags,
]

function handleOf(view: EditorView): CodeHandle {
  return {
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
      view.focus()
    },
    goTo: (line, column) => goTo(view, rangeOf(view.state, { line, column }).from),
  }
}

/** The range of a fault, if it is still within the text, up to the end of its tag or word. */
function rangeOf(
  { doc }: EditorState,
  { line, column }: { line: number; column: number },
): { from: number; to: number } {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines))
  const before = [...found.text].slice(0, column - 1).join("").length
  const from = Math.min(found.from + before, found.to)
  const length = /^(?:\{\{[^}]*\}{0,3}|\S+|\s+)/.exec(found.text.slice(before))?.[0].length ?? 0
  return { from, to: Math.min(from + length, found.to) }
}

import "./json-parser.ts"
import { indentUnit } from "@codemirror/language"
import type { EditorState, Extension } from "@codemirror/state"
import { useCallback, useEffect, useRef, useState } from "react"
import { Editor, type Fault, goTo } from "./editor.tsx"
import { jsonLanguage, type Suggestions, suggestionCompletion } from "./json-language.ts"
import type { Position } from "./json-positions.ts"

export interface PositionedFault extends Position {
  readonly message: string
}

export interface JsonEditorProps {
  /** Later changes from outside the editor replace its content. */
  value: string
  onChange(value: string): void
  faults: readonly PositionedFault[]
  suggestions: Suggestions
  /** Provides a function that moves the cursor to an offset; null once the editor is unmounted. */
  onReady(goTo: ((offset: number) => void) | null): void
}

/** A JSON editor that marks faults at their positions. This file is loaded when a condition is first viewed as JSON. */
export default function JsonEditor({ value, onChange, faults, suggestions, onReady }: JsonEditorProps) {
  const offered = useRef(suggestions)
  useEffect(() => {
    offered.current = suggestions
  })
  const [language] = useState(() => conditionLanguage(() => offered.current))
  const faultsIn = useCallback(
    ({ doc }: EditorState): Fault[] =>
      faults.map(({ from, to, message }) => ({
        from: Math.min(from, doc.length),
        to: Math.min(to, doc.length),
        message,
      })),
    [faults],
  )
  return (
    <Editor
      value={value}
      onChange={onChange}
      onView={(view) => onReady(view && ((offset) => goTo(view, offset)))}
      label="Condition as JSON"
      about="A tree of conditions."
      extensions={language}
      faultsIn={faultsIn}
    />
  )
}

const conditionLanguage = (suggestions: () => Suggestions): Extension => [
  indentUnit.of("  "),
  jsonLanguage,
  jsonLanguage.data.of({ autocomplete: suggestionCompletion(suggestions) }),
]

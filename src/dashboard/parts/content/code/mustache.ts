import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view"
import type { Completion } from "./handle.ts"

const looks = {
  variable: Decoration.mark({ class: "cm-variable" }),
  block: Decoration.mark({ class: "cm-block" }),
  remark: Decoration.mark({ class: "cm-remark" }),
}

const tag = /\{\{\{?~?\s*(!|#|\/|else\b|&)?.*?\}\}\}?/g

function lookOf(kind: string | undefined): Decoration {
  if (kind === "!") return looks.remark
  return kind === "#" || kind === "/" || kind === "else" ? looks.block : looks.variable
}

const matcher = new MatchDecorator({ regexp: tag, decoration: (match) => lookOf(match[1]) })

/** Highlights the tags of the template language. */
export const mustacheTags = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = matcher.updateDeco(update, this.decorations)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

/** Contract A3.1 and contract A3.3, with the purpose of each. */
const keywords: readonly Completion[] = [
  { name: "#if", detail: "only when there" },
  { name: "#unless", detail: "only when not there" },
  { name: "#each", detail: "for every item" },
  { name: "#with", detail: "inside of an object" },
  { name: "else", detail: "otherwise" },
  { name: "upper", detail: "helper" },
  { name: "lower", detail: "helper" },
  { name: "capitalize", detail: "helper" },
  { name: "truncate", detail: "helper: text length" },
  { name: "join", detail: "helper: list separator" },
  { name: "default", detail: "helper: value other" },
  { name: "formatDate", detail: "helper: date pattern" },
  { name: "formatNumber", detail: "helper: number decimals" },
  { name: "urlencode", detail: "helper" },
]

/** Completes variables, blocks and helpers between double braces. */
export const mustacheCompletion =
  (variables: () => readonly Completion[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/\{\{\{?[^{}]*$/)
    if (!before) return null
    const word = /[#\w\p{L}.@-]*$/u.exec(before.text)?.[0] ?? ""
    // the text after ?? is literal
    if (/\?\?/.test(before.text)) return null
    return {
      from: context.pos - word.length,
      options: [
        // in the given order, before the keywords
        ...variables().map(({ name, detail }, index) => ({
          label: name,
          detail,
          type: "variable",
          boost: Math.max(1, 99 - index),
          apply: closing,
        })),
        ...keywords.map(({ name, detail }) => ({ label: name, detail, type: "keyword" })),
      ],
      validFor: /^[#\w\p{L}.@-]*$/u,
    }
  }

/** Inserts the name, closes the tag if necessary, and moves the cursor after it. */
function closing(view: EditorView, { label }: { label: string }, from: number, to: number): void {
  const behind = view.state.doc.sliceString(to, to + 40)
  const opened = view.state.doc.sliceString(Math.max(0, from - 3), from)
  const there = /^\}{2,3}/.exec(behind)?.[0].length
  const isClosedLater = /^[^{}]*\}\}/.test(behind)
  const close = isClosedLater ? "" : opened.endsWith("{{{") ? "}}}" : "}}"
  view.dispatch({
    changes: { from, to, insert: label + close },
    selection: { anchor: from + label.length + (there ?? close.length) },
  })
}

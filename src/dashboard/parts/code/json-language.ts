import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { StreamLanguage } from "@codemirror/language"

/** The highlighting of JSON: keys, strings, numbers and literals. */
export const jsonLanguage = StreamLanguage.define({
  name: "json",
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? "propertyName" : "string"
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number"
    if (stream.match(/^(?:true|false|null)\b/)) return "keyword"
    stream.next()
    return "punctuation"
  },
  languageData: { closeBrackets: { brackets: ["{", "[", '"'] } },
})

/** The values that the strings of a filter may have. */
export interface Suggestions {
  readonly fields: readonly { readonly field: string; readonly label: string }[]
  operatorsOf(field: string): readonly string[]
}

/** Completes fields, operators, units and logic inside quotes. */
export const suggestionCompletion =
  (suggestions: () => Suggestions) =>
  (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/"(?:field|operator|unit|logic)"\s*:\s*"[^"\n]*$/)
    const [, key, text = ""] = /^"(\w+)"\s*:\s*"([^"]*)$/.exec(before?.text ?? "") ?? []
    if (!key) return null
    return {
      from: context.pos - text.length,
      options: optionsOf(key, suggestions(), fieldAround(context)),
      validFor: /^[^"\n]*$/,
    }
  }

function optionsOf(key: string, { fields, operatorsOf }: Suggestions, field: string) {
  if (key === "logic") return ["AND", "OR"].map((label) => ({ label }))
  if (key === "unit") return ["minutes", "hours", "days"].map((label) => ({ label }))
  if (key === "operator") return operatorsOf(field).map((label) => ({ label }))
  return fields.map(({ field: label, label: detail }) => ({ label, ...(label.endsWith(detail) ? {} : { detail }) }))
}

/** The field of the filter at the cursor, if it is before the cursor. */
function fieldAround({ state, pos }: CompletionContext): string {
  const before = state.sliceDoc(Math.max(0, pos - 400), pos)
  const filter = before.slice(before.lastIndexOf("{"))
  return /"field"\s*:\s*"([^"]*)"/.exec(filter)?.[1] ?? ""
}

import type { Node, ParseError, ParseErrorCode, parseTree } from "jsonc-parser"

/** A range of a JSON text, as offsets. */
export interface Position {
  readonly from: number
  readonly to: number
}

export type JsonReading =
  | {
      readonly value: unknown
      /** The range of a value by its dotted path; `""` is the whole. For a missing value, the object that lacks it. */
      positionOf(path: string): Position
    }
  | { readonly fault: Position & { readonly message: string } }

let parse: typeof parseTree | undefined

/** Called by `json-parser.ts`, which is loaded with the fields in which JSON is typed: other pages do without it. */
export function setParser(parser: typeof parseTree): void {
  parse = parser
}

/** Only strict JSON: the parser's default accepts more. */
const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

/** Parses a JSON text with the positions of its values, so that faults can be shown in place. */
export function readPositions(text: string): JsonReading {
  try {
    return { value: JSON.parse(text), positionOf: (path) => positionAt(parse?.(text, [], strict), path) }
  } catch {
    return { fault: faultOf(text) }
  }
}

function faultOf(text: string): Position & { readonly message: string } {
  const errors: ParseError[] = []
  const root = parse?.(text, errors, strict)
  const [first] = errors
  return first
    ? { ...rangeOf(first, text), message: messageOf(first, text, root) }
    : { from: 0, to: text.length, message: otherwise }
}

const otherwise = "This is not JSON."

/** By `ParseErrorCode`, an enum that the package declares without its values. */
const messages: Partial<Record<ParseErrorCode | number, string>> = {
  1: "Texts stand in double quotes.",
  2: "This is not a number.",
  3: "A key in double quotes is expected here.",
  4: "A value is expected here.",
  5: "A colon is expected here.",
  6: "A comma is expected here.",
  7: "A comma or } is expected here.",
  8: "A comma or ] is expected here.",
  10: "JSON has no comments.",
  11: "JSON has no comments.",
  12: "This text has no end.",
  13: "This number is not complete.",
  14: "After \\u there are four hexadecimal digits.",
  15: "JSON does not know this escape.",
  16: "A text must not contain this character.",
}

function messageOf({ error, offset }: ParseError, text: string, root: Node | undefined): string {
  if (offset >= text.length) return "The text ends too early."
  return root && offset >= root.offset + root.length ? "Nothing may follow." : (messages[error] ?? otherwise)
}

/** An error at the end of the text has no length. */
function rangeOf({ offset, length }: ParseError, text: string): Position {
  const from = Math.min(offset, text.length)
  return { from, to: Math.min(from + Math.max(length, 1), text.length) }
}

function positionAt(root: Node | undefined, path: string): Position {
  let node = root
  for (const key of path === "" ? [] : path.split(".")) {
    const inner = node && childOf(node, key)
    if (!inner) break
    node = inner
  }
  return node ? { from: node.offset, to: node.offset + node.length } : { from: 0, to: 0 }
}

function childOf({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === "array") return children[Number(key)]
  return children.find((property) => property.children?.[0]?.value === key)?.children?.[1]
}

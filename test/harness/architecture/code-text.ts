/** A range of a file: `code` is anything but the others. */
interface Piece {
  readonly kind: "code" | "comment" | "template" | "string" | "regex"
  readonly from: number
  readonly to: number
}

function* piecesOf(text: string): Generator<Piece> {
  let before = ""
  for (let at = 0; at < text.length; ) {
    const mark = endOf(text, /["'`/]|$/g, at)
    const char = text[mark] ?? ""
    before = (before + text.slice(at, mark)).slice(-1_000)
    yield { kind: "code", from: at, to: mark }
    const [kind, to] = pieceAt(text, mark, char, before)
    if (kind === "code") before += char
    else if (kind !== "comment") before += " "
    if (char !== "") yield { kind, from: mark, to }
    at = to
  }
}

function pieceAt(text: string, at: number, char: string, before: string): [Piece["kind"], number] {
  if (text.startsWith("//", at)) return ["comment", endOf(text, /\n|$/g, at)]
  if (text.startsWith("/*", at)) return ["comment", endOf(text, /\*\/|$/g, at, true)]
  if (char === "`") return ["template", templateEnd(text, at)]
  if (char !== "/") return ["string", stringEnd(text, at, char)]
  return /(?:^|[(,=:[!&|?{};>]|\breturn)\s*$/.test(before) ? ["regex", regexEnd(text, at)] : ["code", at + 1]
}

/**
 * The code of a file with comments, strings, template texts and regular expressions blanked out. Every character keeps
 * its position, so an index into the result is one into the text. `keepStrings` blanks comments only.
 */
export const codeOf = (text: string, { keepStrings = false } = {}): string =>
  Array.from(piecesOf(text), ({ kind, from, to }) => {
    const part = text.slice(from, to)
    const isKept = kind === "code" || (keepStrings && kind !== "comment")
    return isKept ? part : part.replaceAll(/[^\n]/g, " ")
  }).join("")

/** The regular expressions of a file, without slashes and flags. */
export const regexesOf = (text: string): { readonly source: string; readonly index: number }[] =>
  Array.from(piecesOf(text))
    .filter(({ kind }) => kind === "regex")
    .map(({ from, to }) => ({ source: text.slice(from + 1, to - 1), index: from }))

function endOf(text: string, pattern: RegExp, from: number, inclusive = false): number {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? text.length : match.index + (inclusive ? match[0].length : 0)
}

function stringEnd(text: string, from: number, quote: string): number {
  let at = from + 1
  while (at < text.length && text[at] !== quote && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1
  return at + 1
}

/** The content of `${}` is skipped with the surrounding text. */
function templateEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== "`") {
    if (text[at] === "\\") at += 2
    else if (text.slice(at, at + 2) === "${") at = placeholderEnd(text, at + 2)
    else at++
  }
  return at + 1
}

function placeholderEnd(text: string, from: number): number {
  let at = from
  for (let depth = 1; at < text.length && depth > 0; ) {
    const char = text[at]
    if (char === "`") at = templateEnd(text, at)
    else if (char === '"' || char === "'") at = stringEnd(text, at, char)
    else {
      depth += char === "{" ? 1 : char === "}" ? -1 : 0
      at++
    }
  }
  return at
}

function regexEnd(text: string, from: number): number {
  let inClass = false
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "[") inClass = true
    else if (text[at] === "]") inClass = false
    else if (text[at] === "/" && !inClass) return at + 1
  }
  return from + 1
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" }

/** The index after the bracket that closes the one at `open`, in the result of `codeOf`. */
export function closing(code: string, open: number): number {
  const wanted: string[] = []
  for (let at = open; at < code.length; at++) {
    const char = code[at] ?? ""
    const close = pairs[char]
    if (close !== undefined) wanted.push(close)
    else if (char === wanted.at(-1)) wanted.pop()
    if (wanted.length === 0) return at + 1
  }
  return code.length
}

export const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length

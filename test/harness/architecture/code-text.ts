/**
 * The code of a file with comments, strings, template texts and regular expressions blanked out. Every character keeps
 * its place, so an index into the result is one into the text. `keepStrings` blanks comments only.
 */
export function codeOf(text: string, { keepStrings = false } = {}): string {
  const out: string[] = []
  let at = 0
  const take = (end: number, keep: boolean) => {
    const part = text.slice(at, end)
    out.push(keep ? part : part.replaceAll(/[^\n]/g, " "))
    at = end
  }
  while (at < text.length) {
    take(endOf(text, /["'`/]|$/g, at), true)
    const char = text[at] ?? ""
    if (text.startsWith("//", at)) take(endOf(text, /\n|$/g, at), false)
    else if (text.startsWith("/*", at)) take(endOf(text, /\*\/|$/g, at, true), false)
    else if (char === "`") take(templateEnd(text, at), keepStrings)
    else if (char !== "/") take(stringEnd(text, at, char), keepStrings)
    else if (/(?:^|[(,=:[!&|?{};>]|\breturn)\s*$/.test(out.slice(-3).join(""))) take(regexEnd(text, at), keepStrings)
    else take(at + 1, true)
  }
  return out.join("")
}

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

/** What stands in `${}` is skipped with the text around it. */
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

/** The index behind the bracket that closes the one at `open`, in the result of `codeOf`. */
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

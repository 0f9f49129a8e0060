import { TemplateFault } from "./faults.ts"
import { unexpectedAt } from "./unexpected.ts"

/** The literal text after `??` (contract A3.1.2) and the position of the `??`. */
export interface Fallback {
  readonly text: string
  readonly at: number
}

/** The content of a tag. */
interface TagContent {
  /** After the closing braces. */
  readonly end: number
  /** The start of the closing, `~` included. */
  readonly close: number
  readonly fallback: Fallback | undefined
}

const maxTagLength = 10_000
const tooLong = `The tag is longer than ${maxTagLength} characters.`
const maxNesting = 50

/** The characters of a name; a quote or bracket right after one does not open a string or segment. */
const nameCharacter = /[^\s!"#%-,./;->@[-^`{-~]/
const closing = /\}~?\}\}|~?\}\}/y

/**
 * Reads the inside of a tag from `from`, with the parser's rules for strings and `[segments]`, so that both find the
 * same end of a tag.
 */
export function readTagContent(source: string, start: number, from: number, triple: boolean): TagContent {
  const fail = (at: number, message: string): never => {
    throw new TemplateFault(message, source, at)
  }
  let nesting = 0
  for (let at = from; ; at++) {
    if (at - start > maxTagLength) return fail(start, tooLong)
    switch (source[at]) {
      case undefined:
      case "{":
        return fail(start, "The tag opened here is never closed.")
      case '"':
      case "'":
      case "[":
        if (at > from && nameCharacter.test(source[at - 1] ?? "")) {
          // The filter of another language: {{name|default:"there"}}
          const filter = source.slice(from, at).indexOf("|")
          const place = filter < 0 ? at : from + filter
          return fail(place, unexpectedAt(source, place))
        }
        at = endOfQuoted(source, at) ?? fail(at, `The ${source[at]} opened here is never closed.`)
        break
      case "(":
        if (++nesting > maxNesting) return fail(at, `Nested deeper than ${maxNesting} levels.`)
        break
      case ")":
        nesting--
        break
      case "?":
        if (source[at + 1] !== "?") break
        if (source.slice(from, at).trim() === "") return fail(at, "There must be a variable before the ??.")
        return readFallback(source, start, at, triple)
      case "~":
      case "}": {
        closing.lastIndex = at
        const braces = closing.exec(source)
        if (braces && closing.lastIndex - start > maxTagLength) return fail(start, tooLong)
        if (braces) return { end: closing.lastIndex, close: at, fallback: undefined }
      }
    }
  }
}

/** The position of the quote or bracket that closes the one at `at`: the first without a backslash before it. */
function endOfQuoted(source: string, at: number): number | undefined {
  const mark = source[at] === "[" ? "]" : (source[at] ?? "")
  const limit = at + maxTagLength
  for (let end = source.indexOf(mark, at + 1); end >= 0 && end < limit; end = source.indexOf(mark, end + 1))
    if (source[end - 1] !== "\\") return end
  return undefined
}

/** The text up to the braces, trimmed, without one surrounding pair of quotes (contract A3.1.2). */
function readFallback(source: string, start: number, at: number, triple: boolean): TagContent {
  const fail = (place: number, message: string): never => {
    throw new TemplateFault(message, source, place)
  }
  const from = at + 2
  const braces = source.indexOf("}}", from)
  if (braces < 0) return fail(start, "The tag opened here is never closed.")
  const { close, end } = closingAt(source, from, braces, triple) ?? fail(start, "The tag must be closed with }}}.")
  const raw = source.slice(from, close)
  if (raw.includes("??")) return fail(from + raw.indexOf("??"), "A tag can hold only one ??.")
  if (raw.includes("{{")) return fail(from + raw.indexOf("{{"), "A fallback is literal text and cannot hold a tag.")
  const text = raw.trim()
  if (text === "") return fail(at, 'The fallback after ?? is empty; write "" to print nothing.')
  return { end, close, fallback: { text: unquoted(text), at } }
}

function closingAt(source: string, from: number, braces: number, triple: boolean) {
  if (!triple) return { close: source[braces - 1] === "~" ? Math.max(from, braces - 1) : braces, end: braces + 2 }
  if (source[braces + 2] === "}") return { close: braces, end: braces + 3 }
  return braces - 2 >= from && source.startsWith("}~", braces - 2) ? { close: braces - 2, end: braces + 2 } : undefined
}

function unquoted(text: string): string {
  const mark = text[0]
  const quoted = text.length > 1 && (mark === '"' || mark === "'") && text.endsWith(mark)
  return quoted ? text.slice(1, -1) : text
}

import { TemplateFault } from "./faults.ts"
import { type Fallback, readTagContent } from "./tag.ts"

/** A tag that prints, in the order of the source. */
export interface Output {
  readonly start: number
  readonly fallback: Fallback | undefined
}

interface OpenBlock {
  readonly start: number
  readonly name: string
}

export interface Scan {
  /** The source for the parser: fallbacks and long comments are replaced by blanks, so positions are unchanged. */
  readonly text: string
  readonly outputs: readonly Output[]
  /** The start of every tag, including escaped ones. */
  readonly starts: readonly number[]
  /** Unclosed blocks, outermost first. */
  readonly unclosed: readonly OpenBlock[]
  /** The fault that ended the scan early, or an unclosed block. */
  readonly fault: TemplateFault | undefined
}

// These bound the cost of the parser: it takes about 1 s for a source at all of these limits.
const maxTags = 50_000
const maxTagCharacters = 300_000
const maxDepth = 200

const opening = /\{\{(~?)(#>|#\*|[>*#/{&]|!--|!|\^\s*~?\}\}|\^|\s*else\b)?/y
const longCommentEnd = /--(~?)\}\}/g
const blockName = /\s*([^\s}~()|"'=]*)/y

const refused: ReadonlyMap<string, string> = new Map([
  [">", "Partials are not available."],
  ["#>", "Partials are not available."],
  ["*", "Decorators are not available."],
  ["#*", "Decorators are not available."],
  ["^", "Inverse blocks are not available; write {{#unless ...}}."],
])

/**
 * Finds the tags of a source in one pass, removes the fallbacks, and refuses what the parser must not see: partials,
 * decorators, raw and inverse blocks, unbalanced or too deeply nested blocks, more tags than can be compiled at once.
 */
export function scan(source: string): Scan {
  const outputs: Output[] = []
  const starts: number[] = []
  const blocks: (OpenBlock & { levels: number })[] = []
  const blanks: (readonly [from: number, to: number])[] = []
  let depth = 0
  let tagCharacters = 0

  const fail = (at: number, message: string): never => {
    throw new TemplateFault(message, source, at)
  }

  const deeper = (start: number): void => {
    if (++depth > maxDepth) fail(start, `Nested deeper than ${maxDepth} levels.`)
  }

  const openBlock = (start: number, from: number): void => {
    deeper(start)
    blocks.push({ start, name: nameAt(source, from), levels: 1 })
  }

  const closeBlock = (start: number, from: number): void => {
    const name = nameAt(source, from)
    const block = blocks.pop() ?? fail(start, `{{/${name}}} closes no block.`)
    if (block.name !== name) fail(block.start, `The block {{#${block.name}}} is closed by {{/${name}}}.`)
    depth -= block.levels
  }

  const chainBlock = (start: number): void => {
    const block = blocks.at(-1)
    if (block === undefined) return
    deeper(start)
    block.levels++
  }

  /** Returns the end of the tag. */
  const readTag = (start: number): number => {
    if (source.startsWith("{{{{", start)) fail(start, "Raw blocks are not available.")
    opening.lastIndex = start
    const sign = opening.exec(source)?.[2] ?? ""
    const from = opening.lastIndex
    const reason = refused.get(sign)
    if (reason !== undefined) fail(start, reason)
    if (sign === "!--") return readLongComment(start, from)
    if (sign === "!") return endOfComment(source.indexOf("}}", from), start) + 2
    if (sign.endsWith("}}")) return from
    if (sign === "#") openBlock(start, from)
    if (sign === "/") closeBlock(start, from)

    const inside = readTagContent(source, start, from, sign === "{")
    const { fallback } = inside
    tagCharacters += (fallback?.at ?? inside.end) - start
    if (tagCharacters > maxTagCharacters) fail(start, `The tags hold more than ${maxTagCharacters} characters.`)
    if (sign === "" || sign === "{" || sign === "&") outputs.push({ start, fallback })
    else if (fallback !== undefined) fail(fallback.at, "?? belongs in a tag that prints a variable.")
    if (fallback !== undefined) blanks.push([fallback.at, inside.close])
    if (sign.endsWith("else") && source.slice(from, inside.close).trim() !== "") chainBlock(start)
    return inside.end
  }

  const endOfComment = (end: number, start: number): number =>
    end >= 0 ? end : fail(start, "The comment opened here is never closed.")

  const readLongComment = (start: number, from: number): number => {
    longCommentEnd.lastIndex = from - 2
    const end = longCommentEnd.exec(source)
    endOfComment(end?.index ?? -1, start)
    blanks.push([from - 2, longCommentEnd.lastIndex - 2 - (end?.[1]?.length ?? 0)])
    return longCommentEnd.lastIndex
  }

  const readAll = (): TemplateFault | undefined => {
    let at = 0
    try {
      for (let start = source.indexOf("{{"); start >= 0; start = source.indexOf("{{", at)) {
        if (starts.push(start) > maxTags) fail(start, `A template can hold ${maxTags} tags.`)
        at = isEscaped(source, at, start) ? endOfEscaped(source, start) : readTag(start)
      }
      const [block] = blocks
      return block && new TemplateFault(`The block {{#${block.name}}} is never closed.`, source, block.start)
    } catch (cause) {
      if (cause instanceof TemplateFault) return cause
      throw cause
    }
  }

  const fault = readAll()
  return { text: blanked(source, blanks), outputs, starts, unclosed: blocks, fault }
}

function nameAt(source: string, from: number): string {
  blockName.lastIndex = from
  return blockName.exec(source)?.[1] ?? ""
}

/** `\{{` is text; `\\{{` is a backslash and a tag. `from` is the start of the text before the braces. */
const isEscaped = (source: string, from: number, braces: number): boolean =>
  braces - 1 >= from && source[braces - 1] === "\\" && !(braces - 2 >= from && source[braces - 2] === "\\")

/** Text escaped by a backslash runs up to the next braces, or to the one or two backslashes before them. */
function endOfEscaped(source: string, braces: number): number {
  const least = braces + 2
  let end = source.indexOf("{{", least)
  if (end < 0) return source.length
  for (let taken = 0; taken < 2 && end - 1 >= least && source[end - 1] === "\\"; taken++) end--
  return end
}

/** Replaces every character of the ranges except line breaks by a space. */
function blanked(source: string, ranges: readonly (readonly [from: number, to: number])[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [from, to] of ranges) {
    pieces.push(source.slice(at, from), source.slice(from, to).replace(/[^\r\n]/g, " "))
    at = to
  }
  pieces.push(source.slice(at))
  return pieces.join("")
}

import { Tokenizer } from "htmlparser2"
import { createTextWriter, type TextWriter, type WriterState } from "./writer.ts"

/** The number of characters of HTML that are converted to text; the rest is left out. */
export const htmlReadLimit = 1_000_000

/** The number of links that are read, a bound for everything that is derived from them. */
export const maxLinks = 10_000

/** The target of an `<a>`, entities decoded, and the range of its value in the source, without the quotes. */
export interface PlacedLink {
  readonly href: string
  readonly start: number
  readonly end: number
  /** Whether the sender marked it with `data-track="off"` (contract A7.3.4). */
  readonly isUntracked?: true
}

export interface HtmlReading {
  readonly text: string
  /** In order. Comments, scripts and styles contain none. */
  readonly links: readonly PlacedLink[]
  /** The last position at which added content is still visible; see `endOf`. */
  readonly end: number
}

/** The end tags of a document, as far as it has any. */
interface EndPositions {
  /** Before the last `</body>`. */
  readonly bodyEnd: number | undefined
  /** Before the last `</html>`. */
  readonly documentEnd: number | undefined
  /** Before a comment, style, script or tag that is not closed: it hides everything after it. */
  readonly unclosed: number | undefined
}

/** Where the content of HTML of this length ends. */
export const endOf = ({ bodyEnd, documentEnd, unclosed }: EndPositions, length: number): number =>
  bodyEnd ?? documentEnd ?? unclosed ?? length

/**
 * Reads HTML once for its plain text (see `textFromHtml`), its links and its end. It makes one pass without a tree, so
 * nesting costs nothing and the time is linear in the length.
 */
export function readHtml(html: string): HtmlReading {
  const writer = createTextWriter()
  const handlers = createHandlers(html, writer)
  const tokenizer = new Tokenizer({ decodeEntities: true }, handlers.callbacks)
  tokenizer.write(html.length > htmlReadLimit ? html.slice(0, htmlReadLimit) : html)
  if (html.length > htmlReadLimit) {
    handlers.ignoreText()
    tokenizer.write(html.slice(htmlReadLimit))
  }
  handlers.end(tokenizer)
  const { links, ...ends } = handlers.result()
  return { text: writer.end(), links, end: endOf(ends, html.length) }
}

/** The state of a reader between two tags. */
export interface ReaderState {
  readonly writer: WriterState
  /** The enclosing element whose content is not text, if any. */
  readonly skipping: string
}

/** The reading of a part of some HTML. Positions are relative to its beginning. */
export interface PartReading extends EndPositions {
  readonly text: string
  readonly links: readonly PlacedLink[]
  /** Whether the part ends right after a tag; only then the rest can be read separately. */
  readonly isWhole: boolean
  readonly after: ReaderState
}

/** Reads a part that begins after a tag, given the state of the reader at that point. */
export function readPart(part: string, { writer: from, skipping }: ReaderState): PartReading {
  const writer = createTextWriter(from)
  const handlers = createHandlers(part, writer, skipping)
  const tokenizer = new Tokenizer({ decodeEntities: true }, handlers.callbacks)
  tokenizer.write(part)
  handlers.end(tokenizer)
  const { skipping: now, ...result } = handlers.result()
  const { text, state } = writer.pause()
  return { text, ...result, after: { writer: state, skipping: now } }
}

// Content that is not part of the text, up to the closing tag of the same name.
const withoutText = new Set(["head", "style", "script", "title"])
// A head without an end tag ends before the first element that cannot be inside it.
const inHead = new Set(["meta", "link", "base", "title", "style", "script", "noscript", "template"])

// Elements that contain only characters: anything that looks like a tag inside them is text.
const opaque = new Set(["script", "style", "title", "textarea", "xmp"])

function createHandlers(source: string, writer: TextWriter, skippingFrom = "") {
  const links: PlacedLink[] = []
  let tag = ""
  let tagStart = 0
  let wanted: ReadonlySet<string> = nothing
  let attribute = ""
  let value = ""
  let start = 0
  let attributes: Record<string, Attribute> = {}
  let skipping = skippingFrom
  let ignored = false
  // The end of the last token that was a tag, not characters.
  let tagEnd = -1
  let bodyEnd: number | undefined
  let documentEnd: number | undefined
  // The end of the last complete token, and the start of the element whose end tag has not been found yet.
  let readTo = 0
  let opaqueStart: number | undefined
  let unclosed: number | undefined
  let isEnding = false

  const open = () => {
    const { href, alt, "data-track": track } = attributes
    if (href !== undefined && links.length < maxLinks) {
      const { value, start, end } = href
      const isUntracked = track?.value.trim().toLowerCase() === "off"
      links.push({ href: value.trim(), start, end, ...(isUntracked && { isUntracked }) })
    }
    if (ignored) return
    if (skipping === "head" && !inHead.has(tag)) skipping = ""
    if (skipping !== "") return
    if (withoutText.has(tag)) skipping = tag
    else if (tag === "a") writer.openLink(href?.value.trim() ?? "")
    else if (tag === "img") writer.image(alt?.value ?? "")
    else writer.open(tag)
  }

  const callbacks: ConstructorParameters<typeof Tokenizer>[1] = {
    onopentagname(from, to) {
      tag = source.slice(from, to).toLowerCase()
      tagStart = from - 1
      wanted = wantedOf[tag] ?? nothing
      attribute = ""
      attributes = {}
    },
    onattribname(from, to) {
      if (wanted === nothing) return
      const name = source.slice(from, to).toLowerCase()
      attribute = wanted.has(name) ? name : ""
      if (attribute === "") return
      value = ""
      start = startOfValue(source, to)
    },
    onattribdata(from, to) {
      if (attribute !== "") value += source.slice(from, to)
    },
    onattribentity(codepoint) {
      if (attribute !== "") value += String.fromCodePoint(codepoint)
    },
    onattribend(quote, to) {
      const end = quote === quoted.single || quote === quoted.double ? to - 1 : to
      if (attribute !== "") attributes[attribute] ??= { value, start, end }
      attribute = ""
    },
    onopentagend(to) {
      const isOpaque = opaque.has(tag)
      tagEnd = isOpaque ? -1 : to
      if (isOpaque) opaqueStart = tagStart
      readTo = to + 1
      open()
    },
    onselfclosingtag(to) {
      tagEnd = to
      readTo = to + 1
      if (!withoutText.has(tag)) open()
    },
    onclosetag(from, to) {
      tagEnd = to
      readTo = source.indexOf(">", to) + 1 || source.lastIndexOf("<", from)
      opaqueStart = undefined
      const name = source.slice(from, to).toLowerCase()
      if (name === "body") bodyEnd = source.lastIndexOf("<", from)
      else if (name === "html") documentEnd = source.lastIndexOf("<", from)
      if (ignored) return
      if (skipping === name) skipping = ""
      else if (skipping !== "") return
      else if (name === "a") writer.closeLink()
      else writer.close(name)
    },
    ontext(from, to) {
      // At the end the tokenizer emits an incomplete token as text, without its beginning.
      if (isEnding && from !== readTo) return
      readTo = to
      if (skipping === "" && !ignored) writer.text(source.slice(from, to))
    },
    ontextentity(codepoint, to) {
      readTo = to
      if (skipping === "" && !ignored) writer.text(String.fromCodePoint(codepoint))
    },
    oncdata: (_, to) => readThrough(to),
    oncomment: (_, to) => readThrough(to),
    ondeclaration: (_, to) => readThrough(to),
    onprocessinginstruction: (_, to) => readThrough(to),
    onend() {
      unclosed = opaqueStart ?? (readTo < source.length ? readTo : undefined)
    },
  }

  function readThrough(to: number): void {
    if (!isEnding) readTo = to + 1
  }

  return {
    callbacks,
    end(tokenizer: Tokenizer) {
      isEnding = true
      tokenizer.end()
    },
    result: () => ({
      links,
      bodyEnd,
      documentEnd,
      unclosed,
      skipping,
      isWhole: tagEnd === source.length - 1 && source.endsWith(">"),
    }),
    ignoreText() {
      ignored = true
    },
  }
}

/** An attribute of the current tag; the first counts if a name is repeated. */
interface Attribute {
  readonly value: string
  readonly start: number
  readonly end: number
}

const nothing: ReadonlySet<string> = new Set()
// The attributes that are read, by element.
const wantedOf: Readonly<Record<string, ReadonlySet<string>>> = Object.assign(Object.create(null), {
  a: new Set(["href", "data-track"]),
  img: new Set(["alt"]),
})

// The kinds of quotes as htmlparser2 names them.
const quoted = { single: 2, double: 3 } as const

/** The start of the value of an attribute whose name ends at `at`: after the equals sign, white space and a quote. */
function startOfValue(source: string, at: number): number {
  let start = at
  while (isSpace(source.charCodeAt(start)) || source[start] === "=") start++
  return source[start] === '"' || source[start] === "'" ? start + 1 : start
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

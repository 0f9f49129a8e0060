import { Tokenizer } from "htmlparser2"
import { createTextWriter, type TextWriter, type WriterState } from "./writer.ts"

/** Characters of HTML that are made into text; what lies beyond is left out of it. */
export const htmlReadLimit = 1_000_000

/** Links that are read, which is more than anybody follows: what is made of them cannot grow without bound. */
export const maxLinks = 10_000

/** The target of an `<a>`, entities decoded, and where its value stands in the source, without the quotes. */
export interface PlacedLink {
  readonly href: string
  readonly start: number
  readonly end: number
  /** Whether the sender marked it with `data-track="off"` (contract A7.3.4). */
  readonly isUntracked?: true
}

export interface HtmlReading {
  readonly text: string
  /** In order; comments, scripts and styles hold none. */
  readonly links: readonly PlacedLink[]
  /** Where something added at the end of the content is still seen; see `endOf`. */
  readonly end: number
}

/** Where a document ends, as far as it says so. */
export interface Ends {
  /** Before the last `</body>`. */
  readonly bodyEnd: number | undefined
  /** Before the last `</html>`. */
  readonly documentEnd: number | undefined
  /** Before a comment, style, script or tag that is not closed: it hides all that follows. */
  readonly unclosed: number | undefined
}

/** Where the content of HTML of this length ends. */
export const endOf = ({ bodyEnd, documentEnd, unclosed }: Ends, length: number): number =>
  bodyEnd ?? documentEnd ?? unclosed ?? length

/**
 * Reads HTML once for all that is made of it: its plain text (see `textFromHtml`), its links and its end. One pass without
 * a tree, so nesting costs nothing and time grows with the length alone.
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

/** Where a reader is between two tags. */
export interface ReaderState {
  readonly writer: WriterState
  /** The element whose content is no text, if it is inside one. */
  readonly skipping: string
}

/** A part of some HTML, read; places are counted from its beginning. */
export interface PartReading extends Ends {
  readonly text: string
  readonly links: readonly PlacedLink[]
  /** Whether it ends behind a tag and not in the middle of something: only then what follows can be read by itself. */
  readonly isWhole: boolean
  readonly after: ReaderState
}

/** Reads what stands behind a tag, given where the reader was there. */
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

// Content that is no text of the message, up to the closing tag of the same name.
const withoutText = new Set(["head", "style", "script", "title"])
// A head without an end tag ends before the first element that cannot stand in it.
const inHead = new Set(["meta", "link", "base", "title", "style", "script", "noscript", "template"])

// Elements that hold nothing but characters: what looks like a tag inside them is text.
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
  // Where the last tag ended that was more than characters.
  let tagEnd = -1
  let bodyEnd: number | undefined
  let documentEnd: number | undefined
  // Behind the last thing that was read whole, and where the element began whose end tag is waited for.
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
      // What the tokenizer was in the middle of comes out as text at the end, without its beginning.
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

/** An attribute of the tag that is read; of several with one name the first counts. */
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

// What htmlparser2 calls the kinds of quotes.
const quoted = { single: 2, double: 3 } as const

/** Where the value begins of an attribute whose name ends at `at`: behind the sign, white space and a quote. */
function startOfValue(source: string, at: number): number {
  let start = at
  while (isSpace(source.charCodeAt(start)) || source[start] === "=") start++
  return source[start] === '"' || source[start] === "'" ? start + 1 : start
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

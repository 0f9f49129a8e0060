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
}

export interface HtmlReading {
  readonly text: string
  /** In order; comments, scripts and styles hold none. */
  readonly links: readonly PlacedLink[]
  /** Where the content ends: before the last `</body>`, else the last `</html>`, else behind everything. */
  readonly end: number
}

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
  tokenizer.end()
  const { links, bodyEnd, documentEnd } = handlers.result()
  return { text: writer.end(), links, end: bodyEnd ?? documentEnd ?? html.length }
}

/** Where a reader is between two tags. */
export interface ReaderState {
  readonly writer: WriterState
  /** The element whose content is no text, if it is inside one. */
  readonly skipping: string
}

/** A part of some HTML, read; places are counted from its beginning. */
export interface PartReading {
  readonly text: string
  readonly links: readonly PlacedLink[]
  readonly bodyEnd: number | undefined
  readonly documentEnd: number | undefined
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
  tokenizer.end()
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
  // Only two attributes matter, of two elements, and of each the first.
  let wanted = ""
  let attribute = ""
  let value = ""
  let start = 0
  let href: PlacedLink | undefined
  let alt: string | undefined
  let skipping = skippingFrom
  let ignored = false
  // Where the last tag ended that was more than characters.
  let tagEnd = -1
  let bodyEnd: number | undefined
  let documentEnd: number | undefined

  const open = () => {
    if (href !== undefined && links.length < maxLinks) links.push(href)
    if (ignored) return
    if (skipping === "head" && !inHead.has(tag)) skipping = ""
    if (skipping !== "") return
    if (withoutText.has(tag)) skipping = tag
    else if (tag === "a") writer.openLink(href?.href ?? "")
    else if (tag === "img") writer.text(alt ?? "")
    else writer.open(tag)
  }

  const callbacks: ConstructorParameters<typeof Tokenizer>[1] = {
    onopentagname(from, to) {
      tag = source.slice(from, to).toLowerCase()
      wanted = tag === "a" ? "href" : tag === "img" ? "alt" : ""
      attribute = ""
      href = undefined
      alt = undefined
    },
    onattribname(from, to) {
      if (wanted === "") return
      attribute = source.slice(from, to).toLowerCase() === wanted ? wanted : ""
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
      if (attribute === "href") href ??= { href: value.trim(), start, end }
      else if (attribute === "alt") alt ??= value
      attribute = ""
    },
    onopentagend(to) {
      tagEnd = opaque.has(tag) ? -1 : to
      open()
    },
    onselfclosingtag(to) {
      tagEnd = to
      if (!withoutText.has(tag)) open()
    },
    onclosetag(from, to) {
      tagEnd = to
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
      if (skipping === "" && !ignored) writer.text(source.slice(from, to))
    },
    ontextentity(codepoint) {
      if (skipping === "" && !ignored) writer.text(String.fromCodePoint(codepoint))
    },
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }

  return {
    callbacks,
    result: () => ({
      links,
      bodyEnd,
      documentEnd,
      skipping,
      isWhole: tagEnd === source.length - 1 && source.endsWith(">"),
    }),
    ignoreText() {
      ignored = true
    },
  }
}

// What htmlparser2 calls the kinds of quotes.
const quoted = { single: 2, double: 3 } as const

/** Where the value begins of an attribute whose name ends at `at`: behind the sign, white space and a quote. */
function startOfValue(source: string, at: number): number {
  let start = at
  while (isSpace(source.charCodeAt(start)) || source[start] === "=") start++
  return source[start] === '"' || source[start] === "'" ? start + 1 : start
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

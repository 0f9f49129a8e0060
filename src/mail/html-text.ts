import { Tokenizer } from "htmlparser2"
import { createTextWriter, type TextWriter } from "./html-text/writer.ts"

/** Characters of HTML that are read; what lies beyond is left out of the text. */
export const htmlReadLimit = 1_000_000

/**
 * The plain text of an HTML body (contract A7.2.2): no head, style or script; entities decoded; blocks and `<br>` as
 * line breaks; list items with `- `; links as `text (url)`, or the URL when equal; images as their alt text. One pass
 * without a tree, so nesting costs nothing and time grows with the length alone; of HTML over `htmlReadLimit`
 * characters the rest is dropped.
 */
export function textFromHtml(html: string): string {
  const source = html.length > htmlReadLimit ? html.slice(0, htmlReadLimit) : html
  const writer = createTextWriter()
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks(source, writer))
  tokenizer.write(source)
  tokenizer.end()
  return writer.end()
}

// Content that is no text of the message, up to the closing tag of the same name.
const silent = new Set(["head", "style", "script", "title"])
// A head without an end tag ends before the first element that cannot stand in it.
const inHead = new Set(["meta", "link", "base", "title", "style", "script", "noscript", "template"])

function callbacks(source: string, writer: TextWriter): ConstructorParameters<typeof Tokenizer>[1] {
  let tag = ""
  // Only two attributes matter, of two elements.
  let wanted = ""
  let attribute = ""
  let value = ""
  let href = ""
  let alt = ""
  let muted = ""
  const open = () => {
    if (muted === "head" && !inHead.has(tag)) muted = ""
    if (muted !== "") return
    if (silent.has(tag)) muted = tag
    else if (tag === "a") writer.openLink(href)
    else if (tag === "img") writer.text(alt)
    else writer.open(tag)
  }
  return {
    onopentagname(start, end) {
      tag = source.slice(start, end).toLowerCase()
      wanted = tag === "a" ? "href" : tag === "img" ? "alt" : ""
      attribute = ""
      href = ""
      alt = ""
    },
    onattribname(start, end) {
      if (wanted === "") return
      attribute = source.slice(start, end).toLowerCase() === wanted ? wanted : ""
      value = ""
    },
    onattribdata(start, end) {
      if (attribute !== "") value += source.slice(start, end)
    },
    onattribentity(codepoint) {
      if (attribute !== "") value += String.fromCodePoint(codepoint)
    },
    onattribend() {
      if (attribute === "href" && href === "") href = value.trim()
      else if (attribute === "alt" && alt === "") alt = value
    },
    onopentagend: open,
    onselfclosingtag() {
      if (!silent.has(tag)) open()
    },
    onclosetag(start, end) {
      const name = source.slice(start, end).toLowerCase()
      if (muted === name) muted = ""
      else if (muted !== "") return
      else if (name === "a") writer.closeLink()
      else writer.close(name)
    },
    ontext(start, end) {
      if (muted === "") writer.text(source.slice(start, end))
    },
    ontextentity(codepoint) {
      if (muted === "") writer.text(String.fromCodePoint(codepoint))
    },
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }
}

/** The state of a writer: from equal states, equal input is written in the same way. */
export interface WriterState {
  /** Nothing has been written yet. */
  readonly isEmpty: boolean
  /** The separator before the next token: the number of line breaks (two make an empty line), or else a space. */
  readonly breaks: number
  readonly space: boolean
  /**
   * Whether a separator is needed after the last token: an address is kept apart from anything, a word from another
   * word.
   */
  readonly apart: "" | "address" | "word"
  readonly bullet: string
  readonly depth: number
  readonly verbatim: number
  readonly link: { readonly url: string; readonly text: string } | undefined
}

export const atBeginning: WriterState = {
  isEmpty: true,
  breaks: 0,
  space: false,
  apart: "",
  bullet: "",
  depth: 0,
  verbatim: 0,
  link: undefined,
}

/** Receives the tokens of an HTML reader in order and lays them out as plain text with LF line ends. */
export interface TextWriter {
  text(characters: string): void
  /** The alt text of an image is a separate word. */
  image(alt: string): void
  open(tag: string): void
  close(tag: string): void
  openLink(url: string): void
  closeLink(): void
  /** The text written since the initial state, and the current state. */
  pause(): { readonly text: string; readonly state: WriterState }
  end(): string
}

const spaced = new Set("p h1 h2 h3 h4 h5 h6 blockquote table hr dl pre".split(" "))
const blocks = new Set(
  `address article aside caption center dd details div dt fieldset figcaption figure footer form header legend li main
   nav option section summary tr`.split(/\s+/),
)
const cells = new Set(["td", "th"])
const lists = new Set(["ul", "ol"])
const deepestIndent = 8
const invisible = /^(?:[\u00ad\u200b-\u200d\u2060\ufeff]|\u034f)+$/
// White space other than a single space.
const crowded = /\s\s|[^\S ]/
// Links that have no meaning outside the message.
const useless = /^(?:#|$|javascript:|data:|cid:)/i

export function createTextWriter(from: WriterState = atBeginning): TextWriter {
  let out = ""
  let { isEmpty, breaks, space, apart, bullet, depth, verbatim } = from
  let link = from.link && { ...from.link }

  function put(characters: string): void {
    if (!isEmpty) out += breaks === 2 ? "\n\n" : breaks === 1 ? "\n" : space || runsInto(characters) ? " " : ""
    // Only as much of the text is kept as can still equal the URL.
    if (link && link.text.length <= link.url.length) link.text += (space && link.text !== "" ? " " : "") + characters
    out += bullet + characters
    isEmpty = isEmpty && out === ""
    bullet = ""
    breaks = 0
    space = false
    apart = ""
  }

  const runsInto = (characters: string): boolean =>
    apart === "address" ? !/^\s/.test(characters) : apart === "word" && /^[\p{L}\p{N}(]/u.test(characters)

  function breakLine(count: number): void {
    // A bullet and its text stay on one line.
    if (bullet === "") breaks = Math.max(breaks, count)
    if (count > 0) space = false
  }

  return {
    text(characters) {
      if (verbatim > 0) return put(characters.replace(/\r\n?/g, "\n"))
      const words = characters.trim()
      if (words === "") space ||= characters !== ""
      // Invisible characters beside white space are padding of preview texts.
      else if (words.charCodeAt(0) < 128 || !(invisible.test(words) && (space || breaks > 0 || isEmpty))) {
        if (words.length < characters.length && isSpace(characters.charCodeAt(0))) space = true
        put(crowded.test(words) ? words.replace(/\s+/g, " ") : words)
        space = words.length < characters.length && isSpace(characters.charCodeAt(characters.length - 1))
      }
    },
    image(alt) {
      if (alt.trim() === "") return this.text(alt)
      apart ||= "word"
      this.text(alt)
      apart ||= "word"
    },
    open(tag) {
      if (tag === "br") breakLine(Math.min(breaks + 1, 2))
      else if (cells.has(tag)) space = true
      else if (lists.has(tag)) breakLine(depth++ === 0 ? 2 : 1)
      else if (tag === "li") {
        breakLine(1)
        bullet = `${"  ".repeat(Math.min(Math.max(depth - 1, 0), deepestIndent))}- `
      } else {
        breakLine(spaced.has(tag) ? 2 : blocks.has(tag) ? 1 : 0)
        if (tag === "pre") verbatim++
      }
    },
    close(tag) {
      if (tag === "pre") verbatim = Math.max(verbatim - 1, 0)
      if (tag === "li") bullet = ""
      if (lists.has(tag)) {
        depth = Math.max(depth - 1, 0)
        breakLine(depth === 0 ? 2 : 1)
      } else breakLine(spaced.has(tag) ? 2 : blocks.has(tag) ? 1 : 0)
    },
    openLink(url) {
      this.closeLink()
      link = { url: url.replace(/[\t\r\n]/g, "").replace(/ /g, "%20"), text: "" }
    },
    closeLink() {
      if (!link) return
      const { url, text } = link
      link = undefined
      if (useless.test(url)) return
      if (text === "") {
        apart ||= "word"
        put(url)
        apart = "address"
      } else if (text === url) apart = "address"
      else if (`mailto:${text}` !== url && `tel:${text}` !== url) {
        out += ` (${url})`
        apart = "word"
      }
    },
    pause: () => ({ text: out, state: { isEmpty, breaks, space, apart, bullet, depth, verbatim, link } }),
    end() {
      this.closeLink()
      return out.trimEnd()
    },
  }
}

const isSpace = (code: number): boolean => code <= 32 || (code > 127 && /\s/.test(String.fromCharCode(code)))

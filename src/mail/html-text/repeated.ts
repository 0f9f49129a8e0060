import { LRUCache } from "lru-cache"
import {
  endOf,
  type HtmlReading,
  htmlReadLimit,
  maxLinks,
  type PartReading,
  type PlacedLink,
  type ReaderState,
  readHtml,
  readPart,
} from "./reader.ts"
import { atBeginning, createTextWriter } from "./writer.ts"

const maxParts = 20_000
const maxCharacters = 1_000_000
/** Longer parts are not cached. */
const longestCached = 20_000
/** How often a part that ends inside a token is extended and read again. */
const maxExtensions = 16

// Elements at which a part may end: smaller parts are more often equal in every message.
const ending = /<\/(?:p|td|th|tr|table|div|li|ul|ol|h[1-6]|section)>/gi

const beginning: ReaderState = { writer: atBeginning, skipping: "" }

/** A copy with memory of its own: a slice keeps the whole text that it was cut from in memory. */
const flat = (slice: string): string => Buffer.from(slice, "utf16le").toString("utf16le")

export interface ReaderOptions {
  /** The least number of characters of a part, so that a cache lookup costs less than reading it. */
  readonly shortest?: number
}

/**
 * A `readHtml` that caches parts of what it has read, for messages that share most of their HTML: only the parts that
 * differ are read again. The reading of a part depends only on the part and on the state of the reader before it. Both
 * together are the key of the cache, so an entry is never stale and the result always equals that of `readHtml`.
 */
export function createHtmlReader({ shortest = 800 }: ReaderOptions = {}): (html: string) => HtmlReading {
  const cache = new LRUCache<string, PartReading>({ max: maxParts, maxSize: maxCharacters })
  const keys = new WeakMap<ReaderState, string>()

  function keyOf(state: ReaderState): string {
    const key = keys.get(state) ?? `${JSON.stringify(state)}\n`
    keys.set(state, key)
    return key
  }

  function readCached(part: string, state: ReaderState): PartReading {
    if (part.length > longestCached) return readPart(part, state)
    const key = keyOf(state) + part
    const found = cache.get(key)
    if (found !== undefined) return found
    const made = readPart(flat(part), state)
    cache.set(key, made, { size: key.length + part.length + made.text.length + 100 * made.links.length })
    return made
  }

  /** The reading of the part that begins at `from`, and its end. */
  function next(html: string, from: number, state: ReaderState): { read: PartReading; to: number } {
    let to = from + shortest
    for (let tries = 0; tries < maxExtensions; tries++) {
      ending.lastIndex = to
      if (!ending.test(html)) break
      to = ending.lastIndex
      const read = readCached(html.slice(from, to), state)
      if (read.isWhole) return { read, to }
    }
    return { read: readCached(html.slice(from), state), to: html.length }
  }

  return (html) => {
    if (html.length > htmlReadLimit) return readHtml(html)
    let state = beginning
    let text = ""
    const links: PlacedLink[] = []
    let bodyEnd: number | undefined
    let documentEnd: number | undefined
    let unclosed: number | undefined
    for (let from = 0; from < html.length; ) {
      const { read, to } = next(html, from, state)
      text += read.text
      for (const link of read.links)
        if (links.length < maxLinks) links.push({ ...link, start: from + link.start, end: from + link.end })
      if (read.bodyEnd !== undefined) bodyEnd = from + read.bodyEnd
      if (read.documentEnd !== undefined) documentEnd = from + read.documentEnd
      // Only the last part can have one: the others end after a tag.
      if (read.unclosed !== undefined) unclosed = from + read.unclosed
      state = read.after
      from = to
    }
    text += createTextWriter(state.writer).end()
    return { text: text.trimEnd(), links, end: endOf({ bodyEnd, documentEnd, unclosed }, html.length) }
  }
}

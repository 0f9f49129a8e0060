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

const cacheSize = 2_000_000
/** About what a part takes beside its characters. */
const perPart = 100
/** Longer parts are not cached. */
const longestCached = 20_000
/** Nor is anything in a longer link, for the address would be in the key of each of its parts. */
const longestLink = 2_000
/** How often a part that ends inside a token is extended and read again. */
const maxExtensions = 16
/** How many parts are remembered as following another one. */
const maxFollowers = 3

// Elements at which a part may end: smaller parts are more often equal in every message.
const ending = /<\/(?:p|td|th|tr|table|div|li|ul|ol|h[1-6]|section)>/gi

const beginning: ReaderState = { writer: atBeginning, skipping: "" }

/** A part that was read, from the state that those before it leave. */
interface ReadPart {
  readonly part: string
  readonly read: PartReading
  /** What came after it lately: comparing a text costs much less than looking it up. Empty once it is not cached. */
  followers: readonly ReadPart[]
  isCached: boolean
}

/**
 * A copy with memory of its own: a slice keeps the whole text that it was cut from in memory. With one octet for a
 * character where that is enough, as texts of such characters have, because comparing the two kinds takes longer.
 */
function flat(slice: string): string {
  const encoding = /^[\0-\xff]*$/.test(slice) ? "latin1" : "utf16le"
  return Buffer.from(slice, encoding).toString(encoding)
}

const mostSeen = 8_192

/**
 * Tells whether a part was seen lately, by its hash: sometimes wrongly, which does no harm. What is seen once, such as
 * the line with the name of the recipient, would only displace what messages share.
 */
function createSeenParts(): (part: string) => boolean {
  const seen = new Uint32Array(mostSeen)
  return (part) => {
    const hash = Bun.hash.xxHash32(part)
    const place = hash % mostSeen
    const known = seen[place] === hash
    seen[place] = hash
    return known
  }
}

interface ReaderOptions {
  /** The least number of characters of a part. */
  readonly shortest?: number
}

/**
 * A `readHtml` that caches parts that it reads more than once, for messages that share most of their HTML: only the parts
 * that differ are read again. The reading of a part depends only on the part and on the state of the reader before it. Both
 * together are the key of the cache, so an entry is never stale and the result always equals that of `readHtml`.
 */
export function createHtmlReader({ shortest = 200 }: ReaderOptions = {}): (html: string) => HtmlReading {
  const cache = new LRUCache<string, ReadPart>({
    // Without a number of entries, for which it would take the memory at once.
    maxSize: cacheSize,
    dispose(known) {
      known.followers = []
      known.isCached = false
    },
  })
  const keys = new WeakMap<ReaderState, string>()
  const wasSeen = createSeenParts()

  function keyOf(state: ReaderState): string {
    const key = keys.get(state) ?? `${JSON.stringify(state)}\n`
    keys.set(state, key)
    return key
  }

  /** A part from the cache, or read if it was seen before. */
  function readSeen(part: string, state: ReaderState): ReadPart | undefined {
    if (part.length > longestCached || (state.writer.link?.url.length ?? 0) > longestLink) return undefined
    const key = keyOf(state) + part
    const found = cache.get(key)
    if (found !== undefined) return found
    if (!wasSeen(part)) return undefined
    const made = asRead(flat(part), state)
    made.isCached = true
    const { text, links } = made.read
    cache.set(key, made, { size: perPart + key.length + part.length + text.length + 100 * links.length })
    return made
  }

  /** The part of the HTML that begins at `from`, after the part before it. */
  function next(html: string, from: number, before: ReadPart): ReadPart {
    for (const follower of before.followers) if (isPartAt(html, from, follower)) return follower
    const state = before.read.after
    let to = endAfter(html, from + shortest)
    for (let tries = 0; to !== undefined && tries < maxExtensions; tries++) {
      const part = html.slice(from, to)
      const known =
        readSeen(part, state) ?? (tries === 0 ? readElement(html, from, before) : undefined) ?? asRead(part, state)
      if (known.read.isWhole) return follow(before, known)
      to = endAfter(html, to)
    }
    const rest = html.slice(from)
    return follow(before, readSeen(rest, state) ?? asRead(rest, state))
  }

  /** What differs after a known part is one element, mostly, and what follows that is known again. */
  function readElement(html: string, from: number, before: ReadPart): ReadPart | undefined {
    const to = before.isCached ? endAfter(html, from) : undefined
    const element = to === undefined ? undefined : asRead(html.slice(from, to), before.read.after)
    return element?.read.isWhole ? element : undefined
  }

  const first = asRead("", beginning)
  first.isCached = true

  return (html) => {
    if (html.length > htmlReadLimit) return readHtml(html)
    let known = first
    let text = ""
    const links: PlacedLink[] = []
    let bodyEnd: number | undefined
    let documentEnd: number | undefined
    let unclosed: number | undefined
    for (let from = 0; from < html.length; from += known.part.length) {
      known = next(html, from, known)
      const { read } = known
      text += read.text
      for (const link of read.links) if (links.length < maxLinks) links.push(moved(link, from))
      if (read.bodyEnd !== undefined) bodyEnd = from + read.bodyEnd
      if (read.documentEnd !== undefined) documentEnd = from + read.documentEnd
      // Only the last part can have one: the others end after a tag.
      if (read.unclosed !== undefined) unclosed = from + read.unclosed
    }
    text += createTextWriter(known.read.after.writer).end()
    return { text: text.trimEnd(), links, end: endOf({ bodyEnd, documentEnd, unclosed }, html.length) }
  }
}

/** The end of the first tag from `at` on at which a part may end. */
function endAfter(html: string, at: number): number | undefined {
  ending.lastIndex = at
  return ending.test(html) ? ending.lastIndex : undefined
}

const asRead = (part: string, state: ReaderState): ReadPart => ({
  part,
  read: readPart(part, state),
  followers: [],
  isCached: false,
})

/** Without spreading, which takes ten times as long. */
const moved = ({ href, start, end, isUntracked }: PlacedLink, by: number): PlacedLink =>
  isUntracked ? { href, start: start + by, end: end + by, isUntracked } : { href, start: start + by, end: end + by }

/** A part that does not end after a tag is equal only at the end of the HTML. */
const isPartAt = (html: string, from: number, { part, read }: ReadPart): boolean =>
  html.startsWith(part, from) && (read.isWhole || from + part.length === html.length)

function follow(before: ReadPart, known: ReadPart): ReadPart {
  if (before.isCached && known.isCached)
    before.followers = [known, ...before.followers.filter((other) => other !== known)].slice(0, maxFollowers)
  return known
}

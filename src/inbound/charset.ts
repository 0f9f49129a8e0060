import libmime from "libmime"
import { LRUCache } from "lru-cache"
import { charsetOf, charsetOfUtf8, charsetOfUtf16 } from "./unknown-text.ts"

/** Names that do not define characters beyond ASCII; the second is from the C library, the last from RFC 1428. */
const ascii = /^(?:(?:us-)?ascii|ansi_x3\.4-19\d\d|iso646-us|unknown-8bit)$/i
/** Names that the package takes for encodings of octets, such as base64, which are not charsets. */
const noCharset = /^(?:base64|hex|binary|internal)$/i
/** A name without what some programs add to it: quotes, a locale (`de_DE.UTF-8`), an option of iconv (`//IGNORE`). */
const bareName = /(?:[a-z]{2,3}_[a-z]{2}\.)?([a-z\d][\w.:+-]{0,60})/i
/** The names of Java and of older programs of Microsoft for code pages. */
const codePage = /^(?:x-)?(?:windows|dos|ibm|cp)-?(?=\d{3,4}$)/i

/** The names of old versions of Python, with which Mailman writes, of codecs of Windows and Korea, and of UTF-16. */
const otherNames = new Map([
  ["eucgb2312_cn", "gb2312"],
  ["big5_tw", "big5"],
  ["cp50220", "iso-2022-jp"],
  ["cp50221", "iso-2022-jp"],
  ["cp51932", "euc-jp"],
  ["eucjp-ms", "euc-jp"],
  ["uhc", "cp949"],
  ["ucs-2", "utf-16"],
  ["ucs2", "utf-16"],
])

/**
 * A probe for whether the package knows a charset: it reads unknown ones as UTF-8, in which these octets are invalid,
 * while they are characters in all others.
 */
const probe = "=E9=E9+AOk-"
const readAsUtf8 = "\uFFFD\uFFFD+AOk-"

/** Charsets, by the names that the package has for them, of which the text itself tells more; undefined: unknown ones. */
export const foundOut: ReadonlyMap<string | undefined, (octets: Buffer) => string> = new Map([
  [undefined, charsetOf],
  ["UTF-8", charsetOfUtf8],
  ["UTF-16LE", charsetOfUtf16],
])

/**
 * What was found for each name, "" for nothing. To find it takes longer than to decode a word, of which a message may have
 * thousands.
 */
const remembered = new LRUCache<string, string>({ maxSize: 1_000, sizeCalculation: () => 1 })

/** The name that the package has for a charset; undefined for one that it does not know, and for ASCII. */
export function knownCharset(given: string): string | undefined {
  const written = bareName.exec(given)?.[1] ?? ""
  const name = otherNames.get(written.toLowerCase()) ?? written
  if (name === "" || ascii.test(name) || noCharset.test(name)) return undefined
  let known = remembered.get(name)
  if (known === undefined) {
    known = find(name) ?? ""
    remembered.set(name, known)
  }
  return known || undefined
}

function find(name: string): string | undefined {
  const bare = name.replace(/^x-/i, "")
  const forms = new Set([name, name.replace(codePage, "cp"), bare, labelled(bare)])
  return [...forms].map(libmime.normalizeCharset).find(isKnown)
}

/** Its name in the encoding standard of browsers. */
function labelled(name: string): string {
  try {
    const { encoding } = new TextDecoder(name)
    // The standard reads `unicode` as UTF-16, which most text under that name is not.
    return encoding.startsWith("utf-") ? name : encoding
  } catch {
    return name
  }
}

function isKnown(name: string): boolean {
  if (/^(?:utf-8|jis|iso-?2022-?jp)/i.test(name)) return true
  return /^[\w-]+$/.test(name) && libmime.decodeWords(`=?${name}?Q?${probe}?=`) !== readAsUtf8
}

const encodedWord = /=\?([^?\s]{0,60})\?([qb])\?([^?]*)\?=/gi

/**
 * The field with charset names that the package knows in its encoded words (RFC 2047, 2). Words with unknown names, and
 * those in UTF-8 and UTF-16, get the likely charset of all of them together, because a character may be split across
 * words.
 */
export function withKnownWords(value: string): string {
  const words = [...value.matchAll(encodedWord)].map(([, name = "", encoding = "", text = ""]) => ({
    charset: knownCharset(name),
    octets: () => Buffer.from(libmime.decodeWords(`=?binary?${encoding}?${text}?=`), "latin1"),
  }))
  const octetsIn = (known: string | undefined): Buffer =>
    Buffer.concat(words.flatMap(({ charset, octets }) => (charset === known ? [octets()] : [])))
  const likely = new Map([...foundOut].map(([charset, find]) => [charset, find(octetsIn(charset))] as const))
  let next = 0
  return value.replace(encodedWord, (_, _name, encoding, text) => {
    const charset = words[next++]?.charset
    return `=?${likely.get(charset) ?? charset}?${encoding}?${text}?=`
  })
}

/** A parameter whose value is in a charset (RFC 2231, 4), up to the language. */
const encodedParameter = /(\*(?:0\*)?=[ \t]{0,9}"?)([^'"\s;]{0,60})(?='[^'"\s;]{0,60}')/g

/** The text of such a value or of its continuation, in which an octet may be written as `%` and two digits. */
const encodedText = /\*=[ \t]{0,9}"?(?:[^'"\s;]{0,60}'[^'"\s;]{0,60}')?([^"\s;]*)/g
const encodedOctet = /%([0-9a-f]{2})/gi

/** The same for a field with parameters. */
export function withKnownParameters(value: string): string {
  const texts = [...value.matchAll(encodedText)].map(([, text = ""]) => text)
  const octetOf = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
  const octets = Buffer.from(texts.join("").replace(encodedOctet, octetOf), "latin1")
  const likely = new Map([...foundOut].map(([charset, find]) => [charset, find(octets)] as const))
  return withKnownWords(value).replace(encodedParameter, (_, before: string, name: string) => {
    const charset = knownCharset(name)
    return before + (likely.get(charset) ?? charset)
  })
}

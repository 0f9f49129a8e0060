import libmime from "libmime"
import { charsetOf, charsetOfUtf8 } from "./unknown-text.ts"

/** Charsets that say nothing of characters beyond ASCII; the second name is that of the C library, the last of RFC 1428. */
const ascii = /^(?:(?:us-)?ascii|ansi_x3\.4-19\d\d|iso646-us|unknown-8bit)$/i
/** Names by which the package calls encodings of octets, which are no charsets. */
const noCharset = /^(?:base64|hex|binary|internal)$/i
/** A name without what some programs put around it: quotes, the locale (`de_DE.UTF-8`), what iconv is to do (`//IGNORE`). */
const bareName = /(?:[a-z]{2,3}_[a-z]{2}\.)?([a-z\d][\w.:+-]{0,60})/i
/** The names of Java and of older programs of Microsoft for code pages. */
const codePage = /^(?:x-)?(?:windows|dos|ibm|cp)-?(?=\d{3,4}$)/i

/** The names of old versions of Python, with which Mailman writes, and of codecs of Windows and Korea. */
const otherNames = new Map([
  ["eucgb2312_cn", "gb2312"],
  ["big5_tw", "big5"],
  ["cp50220", "iso-2022-jp"],
  ["cp50221", "iso-2022-jp"],
  ["cp51932", "euc-jp"],
  ["eucjp-ms", "euc-jp"],
  ["uhc", "cp949"],
])

/** What a charset that the package does not know is read as: UTF-8. The octets are characters of any other. */
const probe = "=E9=E9+AOk-"
const readAsUtf8 = "\uFFFD\uFFFD+AOk-"

/** The name that the package has for UTF-8. */
export const utf8 = "UTF-8"

/** The name that the package has for a charset; undefined for one that it does not know, and for ASCII. */
export function knownCharset(given: string): string | undefined {
  const written = bareName.exec(given)?.[1] ?? ""
  const name = otherNames.get(written.toLowerCase()) ?? written
  if (name === "" || ascii.test(name) || noCharset.test(name)) return undefined
  const bare = name.replace(/^x-/i, "")
  return [name, name.replace(codePage, "cp"), bare, labelled(bare)].map(libmime.normalizeCharset).find(isKnown)
}

/** What the encoding standard of browsers calls it. */
function labelled(name: string): string {
  try {
    const { encoding } = new TextDecoder(name)
    // It has `unicode` for UTF-16, which most text of that name is not.
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
 * A field whose encoded words (RFC 2047, 2) have names of charsets that the package knows. Those of others are said to be in
 * the likely charset of them all, since a character may be divided among them; so are those of UTF-8.
 */
export function withKnownWords(value: string): string {
  const words = [...value.matchAll(encodedWord)].map(([, name = "", encoding = "", text = ""]) => ({
    charset: knownCharset(name),
    octets: () => Buffer.from(libmime.decodeWords(`=?binary?${encoding}?${text}?=`), "latin1"),
  }))
  const octetsIn = (known: string | undefined): Buffer =>
    Buffer.concat(words.flatMap(({ charset, octets }) => (charset === known ? [octets()] : [])))
  const likely = new Map([
    [undefined, charsetOf(octetsIn(undefined))],
    [utf8, charsetOfUtf8(octetsIn(utf8))],
  ])
  let next = 0
  return value.replace(encodedWord, (_, _name, encoding, text) => {
    const charset = words[next++]?.charset
    return `=?${likely.get(charset) ?? charset}?${encoding}?${text}?=`
  })
}

/** A parameter whose value is in a charset (RFC 2231, 4), up to the language. */
const encodedParameter = /(\*(?:0\*)?=[ \t]{0,9}"?)([^'"\s;]{0,60})(?='[^'"\s;]{0,60}')/g

/** The same for a field with parameters. */
export function withKnownParameters(value: string): string {
  const octets = Buffer.from([...value.matchAll(/%([0-9a-f]{2})/gi)].map(([, hex]) => hex).join(""), "hex")
  return withKnownWords(value).replace(encodedParameter, (_, before: string, name: string) => {
    const charset = knownCharset(name) ?? charsetOf(octets)
    return before + (charset === utf8 ? charsetOfUtf8(octets) : charset)
  })
}

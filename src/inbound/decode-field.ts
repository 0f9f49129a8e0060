import libmime from "libmime"
import { isFieldOfAnswers, phraseOf, quotedString } from "../kernel/email-address.ts"
import { withKnownWords } from "./charset.ts"
import type { HeaderField } from "./header-fields.ts"

/** A field's value for display: encoded words decoded (RFC 2047), no control characters, one line. */
export function decodeField(value: string): string {
  return value.includes("=?") ? oneLine(decodeWords(value)) : oneLine(value)
}

const ofAddresses = /^(?:resent-)?(?:from|sender|to|cc|bcc|reply-to)$/i

/** A field's value for display in which an encoded name stays one: RFC 2047, 5 splits a list before it is decoded. */
export function decodeNamed({ name, value }: HeaderField): string {
  if (!value.includes("=?")) return decodeField(value)
  if (ofAddresses.test(name)) return decodeAddresses(value)
  // Some programs encode the whole field, addresses included, so that no name is separate from its address.
  return isFieldOfAnswers(name) && !onlyWords.test(value) ? decodeAddresses(value) : decodeField(value)
}

const word = String.raw`=\?[^?\s]{1,100}\?[bq]\?[^?\s]*\?=`
/** Adjacent encoded words. */
const words = String.raw`${word}(?:\s+${word})*`
const onlyWords = new RegExp(`^${words}$`, "i")

/** A quoted string, or encoded words. */
const phraseParts = new RegExp(String.raw`"(?:[^"\\]|\\.)*(?:"|$)|${words}`, "gi")

function decodeAddresses(value: string): string {
  let isQuoted = false
  const decoded = value.replace(phraseParts, (part) => {
    const words = decodeField(part)
    const phrase = part.startsWith('"') ? decodeQuoted(part) : phraseOf(words)
    isQuoted ||= phrase !== words
    return phrase
  })
  return isQuoted ? oneLine(decoded) : decodeField(value)
}

/**
 * Many programs write encoded words in quotes, where they are not allowed (RFC 2047, 5). A quote that a word decodes to
 * does not end the quoted string.
 */
const decodeQuoted = (part: string): string =>
  part.includes("=?") ? quotedString(decodeField(part.slice(1).replace(/"$/, "").replace(/\\(.)/g, "$1"))) : part

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\x00-\x1f\x7f]/

/** Replaces control characters, including encoded line breaks, by single spaces. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return control.test(text) ? text.replace(/[\x00-\x1f\x7f]+/g, " ").trim() : text
}

function decodeWords(text: string): string {
  try {
    // Fast path, because most encoded words are in the charset that they name: checking every octet takes twice as
    // long.
    const plain = unusualWord.test(text) ? undefined : libmime.decodeWords(text)
    return plain?.includes("\uFFFD") === false ? plain : libmime.decodeWords(withKnownWords(text))
  } catch {
    return text
  }
}

const unusualWord = /=\?(?!(?:utf-8|us-ascii|iso-8859-\d{1,2}|iso-2022-jp|windows-125\d|koi8-r|gb2312)\?)/i

import { domainToASCII } from "node:url"

const local = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/
/** Two or more labels; the last is not a number. */
const labels = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The canonical form of an email address (contract A1.2.6): trimmed, lower-cased, a non-ASCII domain as `xn--`.
 * Undefined for anything else, including quoted local parts, address literals and `Name <a@b.c>`.
 */
export function parseAddress(input: string): string | undefined {
  const text = input.trim().toLowerCase()
  if (text.length > longest) return undefined
  const at = text.indexOf("@")
  if (at < 1 || at !== text.lastIndexOf("@")) return undefined
  const name = text.slice(0, at)
  if (!local.test(name) || name.startsWith(".") || name.endsWith(".") || name.includes("..")) return undefined
  const domain = parseDomain(text.slice(at + 1))
  if (domain === undefined || name.length + 1 + domain.length > longest) return undefined
  return `${name}@${domain}`
}

/**
 * A longer text, in UTF-16 code units, is neither an address nor a domain. Normalizing sorts the accents of each
 * letter, which takes time quadratic in their number: 80 KB of them take seconds.
 */
const longest = 254

/**
 * The characters beyond ASCII that a local part may have (RFC 6532, 3.1): none that is a space, a control or invisible.
 */
const beyondAscii = /[^\p{ASCII}\p{C}\p{Z}]/gu

/** The same where mail comes in, for addresses whose local part may be international too (RFC 6531). */
export function parseInternational(input: string): string | undefined {
  const given = input.trim()
  if (given.length > longest) return undefined
  if (isAscii(given)) return parseAddress(given)
  const text = given.toLowerCase().normalize("NFC")
  const name = text.slice(0, Math.max(0, text.lastIndexOf("@")))
  const address = parseAddress(name.replace(beyondAscii, "x") + text.slice(name.length))
  return address && `${name}@${domainOf(address)}`
}

/** The canonical form of a text that is known to be an address, for example because a schema has checked it. */
export const canonicalAddress = (address: string): string => parseAddress(address) ?? address

/** What may be turned into the `xn--` form: `domainToASCII` itself drops a path and line breaks, and decodes `%41`. */
const international = /^[a-z0-9.\-\u{80}-\u{10ffff}]+$/u

/** A domain of two or more labels in lower-case ASCII form, or undefined. */
export function parseDomain(input: string): string | undefined {
  const given = input.trim().toLowerCase()
  if (given.length > longest || !international.test(given)) return undefined
  const domain = isAscii(given) ? given : domainToASCII(given)
  return domain.length <= 253 && labels.test(domain) ? domain : undefined
}

/**
 * A part of an address in the spelling of canonical addresses: A to Z in lower case, and complete labels of the domain
 * that are not ASCII in `xn--` form. A text without `@` counts as a part of a domain. A text that cannot be part of a
 * domain is unchanged.
 */
export function canonicalPart(text: string): string {
  const part = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const domain = domainOf(part)
  if (domain.length > longest || isAscii(domain) || !international.test(domain)) return part
  const ascii = domainToASCII(domain.toLowerCase())
  // `domainToASCII` would turn a variant of an ASCII letter, such as the long s, into that letter.
  return ascii.includes("xn--") ? part.slice(0, part.length - domain.length) + ascii : part
}

/** The address without the `+tag` of its local part, which many providers deliver to the same mailbox. */
export const withoutTag = (address: string): string => address.replace(/(?<!^)\+[^@]*@/, "@")

/** Characters of a name that would end it, or the address, for a program that reads the header (RFC 5322, 3.2.3). */
const separators = /[()<>[\]:;@\\,"]/

/** A name as it stands in a header whose encoded words are decoded: one like "Lovelace, Ada" is quoted. */
export const phraseOf = (words: string): string => (separators.test(words) ? quotedString(words) : words)

/** A text in quotes (RFC 5322, 3.2.4). */
export const quotedString = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** Whether a header field has the addresses for receipts (RFC 8098, 2.1), failures or answers, beside Reply-To. */
export const isFieldOfAnswers = (name: string): boolean =>
  /^(?:disposition-notification-to|return-receipt-to|x-confirm-reading-to|errors-to|mail-(?:reply|followup)-to)$/i.test(
    name,
  )

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** The limits of the header section in bytes and fields; more is an attack. */
const maxHeaderBytes = 512 * 1024
const maxFields = 2_000

/** One header field, unfolded. The name is as written. */
export interface HeaderField {
  readonly name: string
  readonly value: string
}

/**
 * The header fields of a message in order, values not decoded (RFC 5322, 2.2). Accepts LF and CRLF and skips lines that
 * are not fields. Never throws; fields beyond the limits are left out.
 */
export function readHeaderFields(raw: Uint8Array): HeaderField[] {
  const text = headerText(raw)
  const fields: HeaderField[] = []
  let name: string | undefined
  let value = ""
  for (let start = 0; start < text.length && fields.length < maxFields; ) {
    const feed = text.indexOf("\n", start)
    const next = feed < 0 ? text.length : feed + 1
    const end = feed < 0 ? text.length : text[feed - 1] === "\r" ? feed - 1 : feed
    const first = text[start]
    if (first === " " || first === "\t") {
      value += text.slice(start, end)
    } else {
      if (name !== undefined) fields.push({ name, value: textOf(value).trim() })
      const line = text.slice(start, end)
      const colon = line.indexOf(":")
      const found = colon > 0 ? line.slice(0, colon).trimEnd() : ""
      name = isFieldName(found) ? found : undefined
      value = name === undefined ? "" : line.slice(colon + 1)
    }
    start = next
  }
  if (name !== undefined && fields.length < maxFields) fields.push({ name, value: textOf(value).trim() })
  return fields
}

/** Of repeated fields the first, by name as written (contract B9.6.8). */
export function firstOfEach(fields: readonly HeaderField[]): Record<string, string> {
  const found = new Map<string, HeaderField>()
  for (const field of fields) {
    const key = field.name.toLowerCase()
    if (!found.has(key)) found.set(key, field)
  }
  return Object.fromEntries([...found.values()].map(({ name, value }) => [name, value]))
}

function headerText(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (startsEmpty(bytes)) return ""
  return bytes.toString("latin1", 0, Math.min(headEnd(bytes), maxHeaderBytes))
}

/**
 * A field's octets as text: UTF-8 by RFC 6532; anything else is most often ISO 8859-1. Octets inside an encoded word are in
 * the charset of that word, so they are encoded there, as RFC 2047 (4.2) demands, and decoded with it later.
 */
function textOf(octets: string): string {
  // Fast path: every message has many fields, and most of them are ASCII.
  if (!highOctet.test(octets)) return octets
  const encoded = octets.includes("=?") ? octets.replace(quotedWord, encodeOctets) : octets
  return encoded.replace(utf8, (run) => Buffer.from(run, "latin1").toString("utf8"))
}

const highOctet = /[\x80-\xff]/

const quotedWord = /=\?[^?\s]+\?q\?[^?]*\?=/gi

const encodeOctets = (word: string): string =>
  word.replace(/[\x80-\xff]/g, (octet) => `=${octet.charCodeAt(0).toString(16).toUpperCase()}`)

/** One or more adjacent well-formed multi-octet sequences (RFC 3629, 4). */
const utf8 =
  /(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+/g

const startsEmpty = (bytes: Buffer): boolean => bytes[0] === 10 || (bytes[0] === 13 && bytes[1] === 10)

/** The offset of the body: after the first empty line, or the end when there is none. */
export function headEnd(bytes: Buffer): number {
  if (startsEmpty(bytes)) return bytes[0] === 10 ? 1 : 2
  const crlf = bytes.indexOf("\n\r\n")
  const lf = bytes.subarray(0, crlf < 0 ? bytes.length : crlf + 1).indexOf("\n\n")
  return lf >= 0 ? lf + 2 : crlf >= 0 ? crlf + 3 : bytes.length
}

function isFieldName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 33 || code > 126) return false
  }
  return text !== ""
}

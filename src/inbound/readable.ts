import { type HeaderField, headEnd, readHeaderFields } from "./header-fields.ts"

/** A longer head is replaced by the fields that describe the body. */
const longestHead = 64 * 1024
const mostBoundaries = 1_000

/**
 * The message without constructs that the MIME package fails on and people can read: a head that is too long, a type
 * without a subtype (`Content-Type: text`), and blanks after a boundary line (RFC 2046, 5.1.1).
 */
export function readable(raw: Uint8Array, fields: readonly HeaderField[]): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = headEnd(bytes)
  const type = fields.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? ""
  const isBareText = /^text(?:[ \t]*;|$)/i.test(type)
  if (end <= longestHead && !isBareText) return withoutBlanks(bytes)
  const kept = fields
    .filter(({ name }) => /^(?:mime-version|content-[a-z-]{1,40})$/i.test(name))
    .map(({ name, value }) => `${name}: ${value === type && isBareText ? `text/plain${type.slice(4)}` : value}\r\n`)
  return withoutBlanks(Buffer.concat([Buffer.from(kept.join("")), Buffer.from("\r\n"), bytes.subarray(end)]))
}

/** The text of a body in which no part was found, for display; null when it is blank. */
export function bodyText(raw: Uint8Array): string | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const body = readHeaderFields(raw).length > 0 ? bytes.subarray(headEnd(bytes)) : bytes
  const text = body.toString("utf8").replaceAll("\r\n", "\n")
  return text.trim() === "" ? null : text
}

function withoutBlanks(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1")
  const boundaries = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(/boundary=(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/gi)) {
    if (boundaries.size < mostBoundaries) boundaries.add(quoted ?? plain ?? "")
  }
  if (boundaries.size === 0) return bytes
  let isChanged = false
  const cleaned = text.replace(/^--([^\r\n]{1,76}?)[ \t]{1,100}(?=\r?$)/gm, (line, found: string) => {
    if (!boundaries.has(found) && !boundaries.has(found.replace(/--$/, ""))) return line
    isChanged = true
    return `--${found}`
  })
  return isChanged ? Buffer.from(cleaned, "latin1") : bytes
}

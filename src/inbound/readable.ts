import { contentTypeIn, plainContentType } from "./content-type.ts"
import { type HeaderField, headEnd, readHeaderFields } from "./header-fields.ts"
import { openMultiparts } from "./open-multiparts.ts"

/** A longer head is replaced by the fields that describe the body. */
const longestHead = 64 * 1024
const mostBoundaries = 1_000
const longestPartHead = 4_096

/**
 * The message without constructs that people can read but the MIME package cannot: a header section that is too long,
 * unusual spellings of a type, blanks after a boundary line (RFC 2046, 5.1.1), parts of a digest, and inner multiparts
 * without an end.
 */
export function readable(raw: Uint8Array, fields: readonly HeaderField[]): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = headEnd(bytes)
  const type = fields.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? ""
  const plainType = plainContentType(type)
  if (end <= longestHead && plainType === type) return repaired(bytes)
  const kept = fields
    .filter(({ name }) => /^(?:mime-version|content-[a-z-]{1,40})$/i.test(name))
    .map(({ name, value }) => `${name}: ${value === type ? plainType : value}\r\n`)
  return repaired(Buffer.concat([Buffer.from(kept.join("")), Buffer.from("\r\n"), bytes.subarray(end)]))
}

/** The text of a body in which no part was found, for display; null when it is blank. */
export function bodyText(raw: Uint8Array): string | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const body = readHeaderFields(raw).length > 0 ? bytes.subarray(headEnd(bytes)) : bytes
  return unlessBlank(body.toString("utf8").replaceAll("\r\n", "\n"))
}

/**
 * The lines after the last header field, for scripts that leave out the empty line in between. Null when they are
 * blank.
 */
export function textBelowFields(raw: Uint8Array): string | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const lines = bytes.toString("utf8", 0, Math.min(headEnd(bytes), longestHead)).split(/\r?\n/)
  const last = lines.findLastIndex((line) => /^(?:[!-9;-~]{1,99}[ \t]{0,9}:|[ \t])/.test(line))
  return last < 0 ? null : unlessBlank(lines.slice(last + 1).join("\n"))
}

const unlessBlank = (text: string): string | null => (text.trim() === "" ? null : text)

/**
 * Whether a base64 part has invalid characters, line ends aside (RFC 2045, 6.8). Decoding skips them, and the result is
 * rarely the original.
 */
export function hasBrokenBase64(raw: Uint8Array): boolean {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1")
  let parts = 0
  for (const { index } of text.matchAll(inBase64)) {
    if (++parts > mostBoundaries) return false
    const head = text.slice(Math.max(0, index - longestPartHead), index)
    const above = head.split(/\n\r?\n/).at(-1) ?? ""
    const inPart = above.startsWith("--")
    // Not within a text that quotes a header section.
    if (!inPart && above.length < index) continue
    const begins = text.slice(index, index + longestPartHead).search(/\n\r?\n/)
    if (begins < 0) continue
    foreign.lastIndex = index + begins
    const found = foreign.exec(text)
    // A boundary line, and not the one before a signature.
    const isEnd = inPart && found !== null && /^\n--\S/.test(text.slice(found.index - 1, found.index + 3))
    if (found && !isEnd) return true
  }
  return false
}

const inBase64 = /^content-transfer-encoding:[ \t]{0,9}(?:\r?\n[ \t]{1,9})?base64\b/gim
const foreign = /[^A-Za-z0-9+/=\s]/g

/**
 * Removes blanks after boundary lines, adds missing boundary lines, and rewrites types in a form that the package
 * understands.
 */
function repaired(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1")
  const boundaries = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(boundary)) {
    if (boundaries.size < mostBoundaries) boundaries.add(quoted ?? plain ?? "")
  }
  if (boundaries.size === 0) return bytes
  const open = openMultiparts(text.slice(0, headEnd(bytes)))
  let parts = 0
  let isChanged = false
  const cleaned = text.replace(/^--([^\r\n]{1,76}?)[ \t]{0,100}(?=\r?$)/gm, (line, found: string, at: number) => {
    const begins = boundaries.has(found)
    const boundary = begins ? found : found.replace(/--$/, "")
    if (!begins && !boundaries.has(boundary)) return line
    const head = begins && ++parts <= mostBoundaries ? headAt(text, at) : undefined
    const type = head === undefined ? undefined : typeFor(head, open.isDigest(boundary))
    const ended = begins ? open.begin(boundary, head ?? "") : open.end(boundary)
    const ends = ended.map((inner) => `--${inner}--\r\n`).join("")
    const better = `${ends}--${found}${type === undefined ? "" : `\r\nContent-Type: ${type}`}`
    isChanged ||= better !== line
    return better
  })
  return isChanged ? Buffer.from(cleaned, "latin1") : bytes
}

const boundary = /boundary=(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/gi

/** The header fields of the part behind the boundary line at this place. */
function headAt(text: string, at: number): string {
  const from = text.indexOf("\n", at) + 1
  const behind = from === 0 ? "" : text.slice(from, from + longestPartHead)
  return /^\r?\n/.test(behind) ? "" : (behind.split(/\n\r?\n/, 1)[0] ?? "")
}

/** The type to put before the fields of a part; the first one counts. A digest holds messages (RFC 2046, 5.1.5). */
function typeFor(head: string, inDigest: boolean): string | undefined {
  const given = contentTypeIn(head)
  if (given === undefined) return inDigest ? "message/rfc822" : undefined
  const plain = plainContentType(given)
  return plain === given.trim() ? undefined : plain
}

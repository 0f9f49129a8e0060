import { type HeaderField, headEnd, readHeaderFields } from "../../../inbound/header-fields.ts"

/** A part of a message that is not a multipart itself. */
export interface Part {
  readonly fields: readonly HeaderField[]
  /** The media type in lower case, without parameters. */
  readonly type: string
  /** Decoded, one character for an octet. */
  readonly body: string
}

/** A report stands before the message that it returns, so it lies within this many octets. */
export const readBytes = 512 * 1024
const maxParts = 50
const maxDepth = 5

/**
 * The parts of a message in order (RFC 2046); a `message/rfc822` is one part. Never throws, and takes time in proportion to
 * the octets read. The parser for display cannot be used here: it shows a `message/delivery-status` as text without its
 * type.
 */
export function partsOf(raw: Uint8Array): Part[] {
  const parts: Part[] = []
  collect(Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, readBytes)), parts, 0)
  return parts
}

function collect(bytes: Buffer, parts: Part[], depth: number): void {
  if (parts.length >= maxParts) return
  const fields = readHeaderFields(bytes)
  const contentType = fieldOf(fields, "content-type")
  const type = /^[^\s;]{1,127}/.exec(contentType)?.[0].toLowerCase() ?? "text/plain"
  const body = fields.length > 0 ? bytes.subarray(headEnd(bytes)) : bytes
  const boundary = type.startsWith("multipart/") ? parameterOf(contentType, "boundary") : undefined
  if (boundary !== undefined && depth < maxDepth) {
    for (const inner of between(body, boundary)) collect(inner, parts, depth + 1)
  } else {
    parts.push({ fields, type, body: decoded(body, fieldOf(fields, "content-transfer-encoding").toLowerCase()) })
  }
}

/** What lies between the boundary lines; the last piece may lack its end. */
function between(body: Buffer, boundary: string): Buffer[] {
  const pieces: Buffer[] = []
  const mark = `--${boundary}`
  let from = -1
  for (let at = body.indexOf(mark); at >= 0 && pieces.length < maxParts; ) {
    const feed = body.indexOf(10, at)
    const end = feed < 0 ? body.length : feed + 1
    const behind = at + mark.length
    const rest = body.toString("latin1", behind, Math.min(end, behind + 4)).trimEnd()
    const isLast = rest === "--"
    if ((at === 0 || body[at - 1] === 10) && (isLast || rest === "")) {
      if (from >= 0) pieces.push(body.subarray(from, at))
      from = isLast ? -1 : end
      if (isLast) return pieces
    }
    at = body.indexOf(mark, end)
  }
  if (from >= 0) pieces.push(body.subarray(from))
  return pieces
}

function decoded(body: Buffer, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body.toString("latin1"), "base64").toString("latin1")
  const text = body.toString("latin1")
  if (encoding !== "quoted-printable") return text
  return text
    .replace(/=[ \t]{0,9}\r?\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The value of the first field of this name, in lower case; "" when there is none. */
export const fieldOf = (fields: readonly HeaderField[], name: string): string =>
  fields.find((field) => field.name.toLowerCase() === name)?.value ?? ""

/** A parameter of a field such as Content-Type (RFC 2045, 5.1). */
function parameterOf(value: string, name: string): string | undefined {
  for (const [, found = "", quoted, plain] of value.matchAll(parameter)) {
    if (found.toLowerCase() === name) return quoted ?? plain
  }
  return undefined
}

const parameter = /;\s{0,99}([a-z-]{1,40})\s{0,9}=\s{0,9}(?:"([^"\r\n]{0,200})"|([^\s";]{1,200}))/gi

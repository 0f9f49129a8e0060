import * as base64 from "nodemailer/lib/base64"
import { buildHeaderParam, buildHeaderValue, isPlainText, parseHeaderValue } from "nodemailer/lib/mime-funcs"
import type { Attachment } from "../transport.ts"
import { arrivesUnaltered } from "../unaltered.ts"

/** A MIME part: header fields, an empty line, a body. Strings are ASCII, or UTF-8 where an address requires it. */
export type Part = readonly Piece[]
export type Piece = string | Uint8Array | QuotedText

/** Text that is written as quoted-printable. */
interface QuotedText {
  readonly quoted: string
}

/**
 * Text in the smallest encoding that is 7-bit clean with lines of at most 78: none, quoted-printable, or base64 when
 * much of it is not ASCII. All line ends become CRLF.
 */
export function textPart(subtype: "plain" | "html", text: string): Part {
  const type = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: `
  if (isPlain(text)) return [`${type}7bit\r\n\r\n${withLineEnds(text)}`]
  const size = Buffer.byteLength(text)
  // Quoted-printable triples non-ASCII bytes, base64 adds a third to all bytes.
  if ((size - text.length) * 10 > size)
    return [`${type}base64\r\n\r\n${base64.wrap(base64.encode(withLineEnds(text)))}`]
  return [`${type}quoted-printable\r\n\r\n`, { quoted: text }]
}

const withLineEnds = (text: string): string => text.replace(/\r\n?|\n/g, "\r\n")

/**
 * An attachment, in base64. Bodies of composite types may not be encoded (RFC 2046, 5), so a message is one only where it
 * arrives as it is, and all else of such a type is of unknown type (contract A7.2.5).
 * @param id that of the message, which is in its boundaries
 */
export function attachmentPart(id: string, attachment: Attachment): Part {
  const { contentType, contentId, disposition } = attachment
  const content = Buffer.from(attachment.content.buffer, attachment.content.byteOffset, attachment.content.byteLength)
  const filename = attachment.filename.toWellFormed()
  const asIs = /^\s*message\/rfc822\s*(?:;|$)/i.test(contentType) && arrivesUnaltered(content) && !content.includes(id)
  const type = /^\s*(?:multipart|message)\//i.test(contentType) && !asIs ? "application/octet-stream" : contentType
  const headers = [
    field("Content-Type", typeWithoutName(type), nameParameter(filename)),
    `Content-Transfer-Encoding: ${asIs ? "7bit" : "base64"}\r\n`,
    field("Content-Disposition", disposition, filenameParameter(filename)),
    contentId === null ? "" : `Content-ID: <${asciiId(contentId)}>\r\n`,
  ]
  return [`${headers.join("")}\r\n`, asIs ? content : encoded(content)]
}

/** A form of the body, which has no name. */
export const alternativePart = ({ contentType, content }: Attachment): Part => [
  field("Content-Type", contentType),
  "Content-Transfer-Encoding: base64\r\n\r\n",
  encoded(content),
]

const encoded = (content: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return Buffer.from(base64.wrap(base64.encode(bytes)), "latin1")
}

/** A header field, each of its parameters on a line of its own. */
const field = (name: string, value: string, parameter = ""): string =>
  `${name}: ${[value.replace(/; /g, ";\r\n "), parameter].filter(Boolean).join(";\r\n ")}\r\n`

/** A media type with its parameters except `name`, which is that of the file. */
function typeWithoutName(type: string): string {
  const { value, params } = parseHeaderValue(type)
  const { name: _, ...others } = params
  return buildHeaderValue({ value, params: others })
}

/** For old programs that look for the name here. Omitted unless ASCII: encoded words are not allowed in quotes (RFC 2047, 5). */
const nameParameter = (filename: string): string =>
  isPlainText(filename, true) && !filename.includes("=?") && filename.length <= longestValue
    ? `name=${quoted(filename)}`
    : ""

/** One segment if it fits a line, as `filename*=` unless plain ASCII, else numbered segments (RFC 2231). */
const filenameParameter = (filename: string): string => {
  const pieces = buildHeaderParam("filename", filename, longestValue)
  const alone = pieces.length === 1
  return pieces
    .map(({ key, value }) => (key.endsWith("*") ? `${alone ? "filename*" : key}=${value}` : `${key}=${quoted(value)}`))
    .join(";\r\n ")
}

/** Characters of one segment. */
const longestValue = 60

const quoted = (value: string): string => `"${value.replace(/["\\]/g, "\\$&")}"`

/** Several parts as one. The boundary contains `=_`, which cannot occur in an encoded body. */
export function multipart(kind: "alternative" | "related" | "mixed", id: string, parts: readonly Part[]): Part {
  const boundary = `=_${kind.slice(0, 3)}_${id}`
  const type = kind === "related" ? { type: "multipart/alternative", boundary } : { boundary }
  const header = `Content-Type: ${buildHeaderValue({ value: `multipart/${kind}`, params: type }).replace(/; /g, ";\r\n ")}`
  const open = `\r\n--${boundary}\r\n`
  return [`${header}\r\n`, ...parts.flatMap((part) => [open, ...part]), `\r\n--${boundary}--\r\n`]
}

/** A content id as ASCII: other characters are percent-encoded as in a `cid:` URL (RFC 2392). */
export const asciiId = (id: string): string => id.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent)

/** Printable ASCII in short lines, without `=_`: it needs no encoding and cannot hold a boundary. */
function isPlain(text: string): boolean {
  let column = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || code === 13) column = 0
    else if (code > 126 || (code < 32 && code !== 9) || ++column > 78) return false
  }
  return !text.includes("=_")
}

import * as base64 from "nodemailer/lib/base64"
import { buildHeaderValue } from "nodemailer/lib/mime-funcs"
import MimeNode from "nodemailer/lib/mime-node"
import type { Attachment } from "../transport.ts"
import { quotedPrintable } from "./quoted-printable.ts"

/** A piece of a message: header fields, an empty line, a body. Strings are ASCII, or UTF-8 where an address demands it. */
export type Part = readonly (string | Uint8Array)[]

/**
 * Text in the least encoding that keeps it 7-bit clean in lines of at most 78: as it is, quoted-printable, or base64
 * when much of it is not ASCII. All line ends become CRLF.
 */
export function textPart(subtype: "plain" | "html", text: string): Part {
  const body = text.replace(/\r\n?|\n/g, "\r\n")
  const size = Buffer.byteLength(body)
  const type = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: `
  if (isPlain(body)) return [`${type}7bit\r\n\r\n${body}`]
  // Quoted-printable triples what is not ASCII, base64 adds a third to everything.
  if ((size - body.length) * 10 > size) return [`${type}base64\r\n\r\n${base64.wrap(base64.encode(body))}`]
  return [`${type}quoted-printable\r\n\r\n`, quotedPrintable(body)]
}

/** The bytes of an attachment, in base64. */
export function attachmentPart(attachment: Attachment): Part {
  const { contentType, contentId, disposition, content } = attachment
  const filename = attachment.filename.toWellFormed()
  // Bodies of composite types may not be base64 (RFC 2046, 5), and as they are they could break out of their part.
  const type = /^\s*(?:multipart|message)\//i.test(contentType) ? "application/octet-stream" : contentType
  // Without a parent MimeNode takes a node for a whole message and adds the headers of one.
  const parent = new MimeNode("multipart/mixed", { baseBoundary: "none" })
  const node = new MimeNode(type, { filename, rootNode: parent, parentNode: parent, baseBoundary: "none" })
  node.setHeader("Content-Transfer-Encoding", "base64")
  node.setHeader("Content-Disposition", disposition)
  if (contentId !== null) node.setHeader("Content-ID", `<${asciiId(contentId)}>`)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return [`${node.buildHeaders()}\r\n\r\n`, Buffer.from(base64.wrap(base64.encode(bytes)), "latin1")]
}

/** Several parts as one; the boundary holds `=_`, which no encoded body does. */
export function multipart(kind: "alternative" | "related" | "mixed", id: string, parts: readonly Part[]): Part {
  const boundary = `=_${kind.slice(0, 3)}_${id}`
  const type = kind === "related" ? { type: "multipart/alternative", boundary } : { boundary }
  const header = `Content-Type: ${buildHeaderValue({ value: `multipart/${kind}`, params: type }).replace(/; /g, ";\r\n ")}`
  const open = `\r\n--${boundary}\r\n`
  return [`${header}\r\n`, ...parts.flatMap((part) => [open, ...part]), `\r\n--${boundary}--\r\n`]
}

/** A content id as ASCII: other characters the way a `cid:` URL writes them (RFC 2392). */
export const asciiId = (id: string): string => id.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent)

/** Printable ASCII in short lines, without `=_`: it needs no encoding and cannot hold a boundary. */
function isPlain(text: string): boolean {
  let column = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) column = 0
    else if (code > 126 || (code < 32 && code !== 13 && code !== 9) || ++column > 79) return false
  }
  return !text.includes("=_")
}

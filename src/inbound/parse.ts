import libmime from "libmime"
import { type AttachmentStream, MailParser, type MessageText } from "mailparser"
import type { Attachment } from "../mail/transport.ts"
import { type EnvelopeHeaders, envelopeHeaders } from "./envelope-headers.ts"
import { decodeField, type HeaderField, readHeaderFields } from "./header-fields.ts"
import { bodyText, readable } from "./readable.ts"

const maxParts = 500
const maxPartHeaderBytes = 256 * 1024
const maxFilenameLength = 255
/** Characters of one text part; escaping can make six out of one. */
const maxTextInHtml = 1024 * 1024

/** A message taken apart for people and for submission. */
export interface ParsedMessage extends EnvelopeHeaders {
  /** All header fields in order, decoded. */
  readonly headers: readonly HeaderField[]
  /** As it came, `cid:` links and scripts included: show it in a sandbox only. */
  readonly html: string | null
  /** The text the sender wrote; never made out of the HTML. */
  readonly text: string | null
  /** Every other part. A message within the message is one attachment, `message/rfc822`. */
  readonly attachments: readonly Attachment[]
  /** False when something was too broken or too much to be read to the end; the rest is what could be read. */
  readonly complete: boolean
}

/** Options of the package and, undeclared in its types, of the splitter inside it. */
const options = {
  skipHtmlToText: true,
  skipTextLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  maxChildNodes: maxParts,
  maxHeadSize: maxPartHeaderBytes,
}

const emptyHeader = Buffer.from("\r\n")

/** The package's parser, with a cheap way to show the text parts that lie between HTML parts. */
class DisplayParser extends MailParser {
  textToHtml(text: string): string {
    return text.length > maxTextInHtml ? "" : `<pre>${Bun.escapeHTML(text)}</pre>`
  }
}

/** Takes a message apart. Never rejects: of a broken message it gives what can be read. */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  const fields = readHeaderFields(raw)
  return {
    ...envelopeHeaders(fields),
    headers: fields.map(({ name, value }) => ({ name, value: decodeField(value) })),
    // What begins without any header is all text, as people send it by hand.
    ...withText(await readBody(fields.length > 0 ? readable(raw, fields) : Buffer.concat([emptyHeader, raw])), raw),
  }
}

/** Where no part was found in a body that is not blank, it is shown as it came. */
function withText(body: Body, raw: Uint8Array): Body {
  const { html, text, attachments } = body
  if (html !== null || text !== null || attachments.length > 0) return body
  const found = bodyText(raw)
  return found === null ? body : { ...body, text: found, complete: false }
}

type Body = Pick<ParsedMessage, "html" | "text" | "attachments" | "complete">

/** Past a limit the package gives nothing at all, so the rest is cut off by halves until it is within them. */
async function readBody(raw: Uint8Array): Promise<Body> {
  for (let length = raw.byteLength; length > 0; length = Math.floor(length / 2)) {
    const body = await readParts(raw.subarray(0, length))
    if (body !== undefined) return { ...body, complete: length === raw.byteLength }
  }
  return { html: null, text: null, attachments: [], complete: false }
}

function readParts(raw: Uint8Array): Promise<Omit<Body, "complete"> | undefined> {
  const parser = new DisplayParser(options)
  const attachments: Attachment[] = []
  let content: MessageText | undefined
  return new Promise((resolve) => {
    parser.on("data", (part: AttachmentStream | MessageText) => {
      if (part.type === "text") {
        content = part
        return
      }
      const chunks: Buffer[] = []
      part.content.on("data", (chunk: Buffer) => chunks.push(chunk))
      part.content.on("end", () => {
        attachments.push(attachmentOf(part, Buffer.concat(chunks), attachments.length + 1))
        part.release()
      })
    })
    parser.on("end", () => resolve({ html: textOf(content?.html), text: textOf(content?.text), attachments }))
    parser.on("error", () => resolve(undefined))
    parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  })
}

function attachmentOf(part: AttachmentStream, content: Uint8Array, number: number): Attachment {
  const contentId = decodeField(part.cid ?? "")
  const named = decodeField(part.filename ?? "").replace(/[/\\]/g, "_")
  return {
    filename:
      lastOf(named.toWellFormed(), maxFilenameLength) || `part-${number}.${libmime.detectExtension(part.contentType)}`,
    contentType: part.contentType,
    content,
    contentId: contentId || null,
    disposition: part.contentDisposition === "inline" || (part.related && contentId !== "") ? "inline" : "attachment",
  }
}

/** The last characters of a text, none of them cut in half. */
const lastOf = (text: string, count: number): string =>
  Array.from(text.slice(-2 * count))
    .slice(-count)
    .join("")
    .toWellFormed()

const textOf = (value: string | boolean | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null

import libmime from "libmime"
import { type AttachmentStream, MailParser, type MessageText, type MimeNode, type PartNode } from "mailparser"
import type { Attachment } from "../mail/transport.ts"
import { foundOut, knownCharset, withKnownParameters } from "./charset.ts"
import { decodeField, decodeNamed } from "./decode-field.ts"
import { type EnvelopeHeaders, envelopeHeaders } from "./envelope-headers.ts"
import { paragraphsOf } from "./flowed.ts"
import { type HeaderField, readHeaderFields } from "./header-fields.ts"
import { dispositionOf, givenType, idsShownBy, isShowable, writtenType } from "./part-type.ts"
import { bodyText, hasBrokenBase64, readable, textBelowFields } from "./readable.ts"
import { UnknownText } from "./unknown-text.ts"
import { splitUuencoded } from "./uuencoded.ts"

const maxParts = 500
const maxPartHeaderBytes = 256 * 1024
const maxFilenameLength = 255
/** The longest text part in characters; escaping can turn one into six. */
const maxTextInHtml = 1024 * 1024

/** A parsed message, for display and for submission. */
export interface ParsedMessage extends EnvelopeHeaders {
  /** All header fields in order, decoded. */
  readonly headers: readonly HeaderField[]
  /** Unchanged, with `cid:` links and scripts: show it only in a sandboxed frame. */
  readonly html: string | null
  /** The sender's text; never derived from the HTML. */
  readonly text: string | null
  /** All other parts. A nested message is one attachment, `message/rfc822`. */
  readonly attachments: readonly Attachment[]
  /** False when a part was too malformed or too large to be read completely; the rest is present. */
  readonly complete: boolean
  /** Whether a part has characters that are invalid in its encoding; they are left out. */
  readonly damaged: boolean
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

/** Begins the name of a charset that is detected from the octets. */
const guess = "x-mailstead-"
const guesses = new Map([...foundOut].map(([charset, find]) => [`${guess}${charset}`, find]))

/**
 * The package's parser with corrections: text parts between HTML parts are shown cheaply, charset names of old programs
 * are known, text files stay attachments, and quoted lines of flowed text stay quoted.
 */
class DisplayParser extends MailParser {
  /** The parts of flowed text. */
  private readonly flowed: PartNode[] = []

  constructor() {
    super(options)
    const { decoder } = this
    this.decoder = {
      decodeStream(charset) {
        const find = guesses.get(charset)
        return find ? new UnknownText(find) : decoder.decodeStream(charset)
      },
    }
  }

  override createNode(node: MimeNode): PartNode {
    const { parentNode, partNr } = node
    // A field without a value is as good as none (RFC 2045, 5.2); the package knows this of the message only.
    node.contentType ||= "text/plain"
    // The parent may know of later parts already.
    const isBehindOthers = parentNode && parentNode.multipart === "mixed" && partNr && Number(partNr.at(-1)) > 1
    if (node.filename && isBehindOthers) node.disposition = "attachment"
    if (node.filename) node.filename = decodeField(fileNameIn(node.headers))
    // Some programs put the encoding in quotes, or a semicolon behind it.
    if (node.encoding) node.encoding = node.encoding.replace(/["';]/g, "").trim()
    const charset = knownCharset(node.charset || "")
    node.charset = charset === undefined || foundOut.has(charset) ? `${guess}${charset}` : charset
    const { flowed } = node
    // Else the package joins the lines, with the marks of quoted ones within them.
    node.flowed = false
    const part = super.createNode(node)
    if (node.headers.get("Content-Type").length > 1) {
      // The package reads the part by the first of several types, and tells the last.
      part.headers.set("content-type", libmime.parseHeaderValue(node.headers.getFirst("Content-Type")))
    }
    if (flowed && part.contentType === "text/plain") this.flowed.push(part)
    return part
  }

  override getTextContent(): MessageText {
    if (this.tree) {
      dropMarks(this.tree)
      showLoneForms(this.tree)
    }
    for (const part of this.flowed) part.textContent = paragraphsOf(part.textContent ?? "", part.node.delSp)
    return super.getTextContent()
  }

  textToHtml(text: string): string {
    return text.length > maxTextInHtml ? "" : `<pre>${Bun.escapeHTML(text)}</pre>`
  }
}

/**
 * Removes the byte order mark that Windows programs put before a text: it is invisible, and would hide the first word
 * from searches.
 */
function dropMarks(part: PartNode): void {
  if (part.textContent?.startsWith("\uFEFF")) part.textContent = part.textContent.slice(1)
  for (const child of part.children) dropMarks(child)
}

/**
 * The package leaves the text of alternatives out of the HTML. Alternatives without HTML, which many programs write,
 * are shown together with HTML that others have added, such as a footer.
 */
function showLoneForms(part: PartNode): void {
  if (part.contentType === "multipart/alternative" && !hasHtml(part)) part.contentType = "multipart/mixed"
  for (const child of part.children) showLoneForms(child)
}

const hasHtml = ({ contentType, isAttachment, children }: PartNode): boolean =>
  (contentType === "text/html" && !isAttachment) || children.some(hasHtml)

/** The file name of a part by its fields; that of Content-Type has the lowest priority. */
function fileNameIn(headers: MimeNode["headers"]): string {
  const parameter = (field: string, name: string) =>
    libmime.parseHeaderValue(withKnownParameters(headers.getFirst(field))).params[name]
  return parameter("Content-Disposition", "filename") || parameter("Content-Type", "name") || ""
}

/** Parses a message. Never rejects: a malformed message gives the parts that can be read. */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  const fields = readHeaderFields(raw)
  return {
    ...envelopeHeaders(fields),
    headers: fields.map((field) => ({ name: field.name, value: decodeNamed(field) })),
    // A message without any header is all text, as typed by hand.
    ...withFiles(
      withText(await readBody(fields.length > 0 ? readable(raw, fields) : Buffer.concat([emptyHeader, raw])), raw),
    ),
    damaged: hasBrokenBase64(raw),
  }
}

/** A body in which no part was found is shown unchanged, unless it is blank. */
function withText({ isBlank, ...body }: ReadBody, raw: Uint8Array): Body {
  const { html, text, attachments } = body
  if (html !== null || text !== null || attachments.length > 0) return body
  if (isBlank && !hasBrokenBase64(raw)) return body
  const found = bodyText(raw)
  return found === null ? { ...body, text: textBelowFields(raw) } : { ...body, text: found, complete: false }
}

/**
 * Programs without MIME put files into the text (uuencode). Text beside HTML was written by a program with MIME, and
 * has none.
 */
function withFiles(body: Body): Body {
  if (body.html !== null || body.text === null) return body
  const { text, files } = splitUuencoded(body.text)
  if (files.length === 0) return body
  const attachments = files.map(({ name, content }, index): Attachment => {
    const contentType = libmime.detectMimeType(name)
    const filename =
      fileNameOf(name) || `part-${body.attachments.length + index + 1}.${libmime.detectExtension(contentType)}`
    return { filename, contentType, content, contentId: null, disposition: "attachment" }
  })
  return { ...body, text: text.trim() === "" ? null : text, attachments: [...body.attachments, ...attachments] }
}

type Body = Pick<ParsedMessage, "html" | "text" | "attachments" | "complete">

interface ReadBody extends Body {
  /** Whether its parts were found, but are all empty. */
  readonly isBlank: boolean
}

/** The package returns nothing for a message beyond its limits, so the message is halved until it is within them. */
async function readBody(raw: Uint8Array): Promise<ReadBody> {
  for (let length = raw.byteLength; length > 0; length = Math.floor(length / 2)) {
    const body = await readParts(raw.subarray(0, length))
    if (body !== undefined) return { ...body, complete: length === raw.byteLength }
  }
  return { html: null, text: null, attachments: [], complete: false, isBlank: false }
}

function readParts(raw: Uint8Array): Promise<Omit<ReadBody, "complete"> | undefined> {
  const parser = new DisplayParser()
  const attachments: Attachment[] = []
  const showable = new Set<Attachment>()
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
        const file = attachmentOf(part, Buffer.concat(chunks), attachments.length + 1)
        attachments.push(file)
        if (isShowable(part, file.contentId ?? "")) showable.add(file)
        part.release()
      })
    })
    parser.on("end", () => {
      const html = textOf(content?.html)
      const text = textOf(content?.text)
      // Beside HTML some programs put a text that is blank.
      const isWhole = html === null || (text?.trim() !== "" && (!parser.tree || !hasHtmlAlone(parser.tree)))
      const shown = idsShownBy(showable.size > 0 ? (html ?? "") : "")
      const files = attachments.map((file) => (showable.has(file) && shown.has(file.contentId) ? inline(file) : file))
      resolve({ html, text: isWhole ? text : null, attachments: files, isBlank: isBlankMultipart(parser.tree) })
    })
    parser.on("error", () => resolve(undefined))
    parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  })
}

/** A picture that the HTML shows is not an attachment, wherever the sending program has put it. */
const inline = (file: Attachment): Attachment => ({ ...file, disposition: "inline" })

/** Programs that write a multipart for a subject alone put one empty text in it. */
function isBlankMultipart(part: PartNode | false): boolean {
  if (!part || !/^multipart\//i.test(part.contentType || "") || part.children.length === 0) return false
  return part.children.every((child) => isBlankMultipart(child) || isBlankText(child))
}

const isBlankText = ({ contentType, isAttachment, textContent = "" }: PartNode): boolean =>
  (contentType === "text/plain" || contentType === "text/html") && !isAttachment && textContent.trim() === ""

/** Whether a part has HTML without a text alternative: the text parts of the message are then incomplete. */
function hasHtmlAlone({ contentType, isAttachment, children }: PartNode): boolean {
  if (contentType === "text/html") return !isAttachment
  if (contentType === "multipart/alternative" && children.some(hasText)) return false
  return children.some(hasHtmlAlone)
}

const hasText = ({ contentType, isAttachment, children }: PartNode): boolean =>
  contentType === "text/plain" ? !isAttachment : children.some(hasText)

function attachmentOf(part: AttachmentStream, content: Uint8Array, number: number): Attachment {
  const givenId = decodeField(part.cid ?? "")
  const contentId = contentIdForm.test(givenId) ? givenId : ""
  const type = givenType(part, contentId)
  return {
    filename: fileNameOf(part.filename ?? "") || `part-${number}.${libmime.detectExtension(type)}`,
    contentType: writtenType(type, part),
    content: uuencoding.test(`${part.headers.get("content-transfer-encoding")}`) ? uudecoded(content) : content,
    contentId: contentId || null,
    disposition: dispositionOf(type, part, contentId),
  }
}

/** Encodings of programs that are older than MIME, which the package leaves as they are. */
const uuencoding = /^(?:x-)?uue(?:ncode)?\b/i

function uudecoded(content: Uint8Array): Uint8Array {
  const lines = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1")
  return splitUuencoded(lines.replaceAll("\r\n", "\n")).files[0]?.content ?? content
}

const fileNameOf = (given: string): string =>
  lastOf(decodeField(given).replace(/[/\\]/g, "_").toWellFormed(), maxFilenameLength)

/** A content id that can be written again (RFC 2045, 7); any other is dropped, and the part is found without it. */
const contentIdForm = /^[^<>]{1,255}$/

/** The last characters of a text, without splitting one. */
const lastOf = (text: string, count: number): string =>
  Array.from(text.slice(-2 * count))
    .slice(-count)
    .join("")
    .toWellFormed()

const textOf = (value: string | boolean | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null

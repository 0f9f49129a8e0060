import { fault, invalid } from "../kernel/errors.ts"
import { turnOfItsOwn } from "../kernel/event-loop.ts"
import { asDocument } from "./compose/document.ts"
import type { Draft } from "./compose/draft.ts"
import { mailboxHeader, replyToHeader, subjectHeader, textHeader } from "./compose/encode-header.ts"
import { settleHeaders } from "./compose/headers.ts"
import { joined } from "./compose/join.ts"
import { alternativePart, attachmentPart, multipart, type Part, textPart } from "./compose/parts.ts"
import { refuseInjection } from "./compose/refuse.ts"
import type { Signer } from "./dkim.ts"
import { textFromHtml, textPartOf } from "./html-text.ts"
import type { Attachment, Outgoing } from "./transport.ts"

export { asDocument } from "./compose/document.ts"
export type { Draft } from "./compose/draft.ts"

/** The largest size of a composed message, in bytes (contract A9, row 11). */
export const messageLimit = 40 * 1024 * 1024

/**
 * The only writer of MIME (contract A7.1, A7.2). Everything is decided here, and only the bytes are made on first use.
 * The same draft always gives the same bytes, so every delivery attempt sends the same message. Throws a `DomainError`
 * of kind `invalid` for text that could inject a header.
 */
export function compose(draft: Draft, signer?: Signer): Composed {
  refuseInjection(draft)
  const { headers, replyTo } = settleHeaders(draft)
  const html = asDocument(draft.html)
  const content: Content = {
    id: draft.id,
    projectId: draft.projectId,
    stream: draft.stream,
    envelope: { from: draft.envelopeFrom, to: draft.to.address },
    from: draft.from,
    to: draft.to,
    replyTo,
    subject: draft.subject,
    html,
    text: draft.text ?? textPartOf(textFromHtml(html), draft),
    headers,
    attachments: draft.attachments,
    messageId: draft.messageId,
  }
  return composed(content, signer)
}

/** A message of content that is decided, which the same content makes again on another thread. */
export function composed(content: Content, signer?: Signer): Composed {
  let made: Uint8Array | undefined
  let signing: Promise<Uint8Array> | undefined
  const mime = () => {
    made ??= signer ? signer.sign(assemble(content)) : assemble(content)
    return made
  }
  return {
    ...content,
    signer,
    mime,
    async bytes() {
      if (made === undefined && isLarge(content)) await turnOfItsOwn()
      if (made !== undefined || signer === undefined) return mime()
      signing ??= signer.signOnThread(assemble(content))
      made = await signing
      return made
    },
    begin: async () => {},
  }
}

/** Composing it takes some milliseconds, so that many of them would hold up the event loop. */
const isLarge = ({ html, text }: Pick<Outgoing, "html" | "text">): boolean => html.length + text.length > 131_072

/** Throws `invalid` on field `body` when the composed message is over the limit (contract A4.3.7). */
export function checkSize(message: Outgoing): void {
  const { html, text, subject, headers, attachments } = message
  const characters = [html, text, subject, ...headers.flat()].reduce((sum, { length }) => sum + length, 0)
  const bytes = attachments.reduce((sum, { content }) => sum + content.byteLength, 0)
  // An upper bound of any encoding is twelve octets for a character and four for three bytes; most messages are below
  // the limit by it and need not be composed.
  if (characters * 12 + bytes * 1.4 + 100_000 < messageLimit || message.mime().byteLength <= messageLimit) return
  throw invalid([fault("body", "too_big", "The composed message is larger than 40 MB.")])
}

/** What the bytes of a message are made of. */
export type Content = Omit<Outgoing, "mime" | "bytes" | "begin">

export interface Composed extends Outgoing {
  readonly signer: Signer | undefined
}

function assemble(content: Content): Uint8Array {
  const { from, to, replyTo, subject, messageId, headers } = content
  const head = [
    mailboxHeader("From", from),
    mailboxHeader("To", to),
    replyTo === null ? "" : replyToHeader(replyTo),
    subjectHeader(subject),
    `Message-ID: <${messageId}>\r\n`,
    ...headers.map(([name, value]) => textHeader(name, value)),
    "MIME-Version: 1.0\r\n",
  ]
  return joined([...head, ...structure(content)])
}

/** Programs show the last form that they know (RFC 2046, 5.1.4), and some take the HTML only from the last place. */
const isBelowHtml = ({ contentType }: Attachment): boolean => !/^text\/calendar\b/i.test(contentType)

/** Programs show of what is related to the HTML only what it refers to (RFC 2387), which takes an id. */
const isShownByHtml = ({ disposition, contentId }: Attachment): boolean =>
  disposition === "inline" && contentId !== null

/**
 * The body that is given, or the simplest structure for the parts: alternative, inside related if there are inline parts,
 * inside mixed if there are other attachments.
 */
function structure({ id, text, html, attachments }: Content): Part {
  const given = attachments.find(({ disposition }) => disposition === "body")
  if (given) return [given.content]
  const forms = attachments.filter(({ disposition }) => disposition === "alternative")
  const [before, after] = [forms.filter(isBelowHtml), forms.filter((form) => !isBelowHtml(form))]
  const body = multipart("alternative", id, [
    textPart("plain", text),
    ...before.map(alternativePart),
    textPart("html", html),
    ...after.map(alternativePart),
  ])
  const files = attachments.filter(({ disposition }) => disposition === "inline" || disposition === "attachment")
  const [inline, others] = [files.filter(isShownByHtml), files.filter((file) => !isShownByHtml(file))]
  const part = (file: Attachment): Part => attachmentPart(id, file)
  const related = inline.length > 0 ? multipart("related", id, [body, ...inline.map(part)]) : body
  return others.length > 0 ? multipart("mixed", id, [related, ...others.map(part)]) : related
}

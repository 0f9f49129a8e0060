import { marksOfAutomatic } from "../../inbound/automatic.ts"
import { renameFields } from "../../inbound/rename-fields.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { nilId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { isMediaType } from "../../kernel/media-type.ts"
import { mailboxesHeader } from "../../mail/compose/encode-header.ts"
import { compose } from "../../mail/compose.ts"
import { htmlFromText } from "../../mail/text-html.ts"
import type { Attachment, Mailbox } from "../../mail/transport.ts"
import { noVerdicts, type ProvidedMail } from "./provided.ts"
import { textAt } from "./provider-report.ts"

/**
 * Mail that Postmark has received: the message itself where the server of Postmark sends it (`RawEmail`), else composed of
 * the parts. Postmark writes no Authentication-Results, so those of a message are its sender's own.
 * https://postmarkapp.com/developer/webhooks/inbound-webhook
 */
export function postmarkMail(record: unknown, key: string): ProvidedMail {
  const raw = textAt(record, "RawEmail")
  return {
    key,
    raw: () => (raw === null ? composed(record) : renameFields(Buffer.from(raw), ["Authentication-Results"])),
    mailFrom: senderOf(record) ?? "",
    recipients: recipientsOf(record),
    verdicts: noVerdicts,
  }
}

/** Mail that is forwarded to the address of the inbound stream at Postmark was sent to whom its header fields name. */
function recipientsOf(record: unknown): string[] {
  const original = textAt(record, "OriginalRecipient")
  if (original !== null && !/@inbound\.postmarkapp\.com$/i.test(original)) return [original]
  return ["ToFull", "CcFull", "BccFull"].flatMap((name) =>
    listAt(record, name).flatMap((one) => textAt(one, "Email") ?? []),
  )
}

function composed(record: unknown): Uint8Array {
  const text = textAt(record, "TextBody")
  const html = textAt(record, "HtmlBody")
  const to = mailboxesAt(record, "ToFull")
  const first = to[0] ?? { address: textAt(record, "OriginalRecipient") ?? noSender, name: "" }
  const mime = compose({
    id: nilId,
    projectId: nilId,
    stream: "transactional",
    envelopeFrom: "",
    // Text that is not an address is shown as a name, because the message would be lost without one.
    from: {
      address: senderOf(record) ?? noSender,
      name: line(textAt(record, "FromFull", "Name") ?? (senderOf(record) ? null : textAt(record, "From"))),
    },
    // Mail by blind copy may name nobody.
    to: first,
    replyTo: mailboxIn(textAt(record, "ReplyTo")) ?? null,
    subject: line(textAt(record, "Subject")),
    html: html ?? htmlFromText(text ?? ""),
    ...(text !== null && { text }),
    headers: keptHeaders(record),
    attachments: listAt(record, "Attachments").map(attachmentOf),
    listUnsubscribeUrl: null,
    bulk: false,
    list: null,
    date: Date.parse(textAt(record, "Date") ?? "") || 0,
    messageId: messageIdIn(headerOf(record, "Message-ID")) ?? `${textAt(record, "MessageID")}@postmark`,
  }).mime()
  return withRecipients(mime, { to: [first, ...to.slice(1)], cc: mailboxesAt(record, "CcFull") })
}

/** The composer writes mail to one person. */
function withRecipients(mime: Uint8Array, { to, cc }: { to: readonly Mailbox[]; cc: readonly Mailbox[] }): Uint8Array {
  if (to.length === 1 && cc.length === 0) return mime
  const bytes = Buffer.from(mime.buffer, mime.byteOffset, mime.byteLength)
  const end = bytes.indexOf("\r\n\r\n")
  const fields = [mailboxesHeader("To", to), mailboxesHeader("Cc", cc)].join("")
  const head = bytes.toString("latin1", 0, end).replace(/^To:.*\r\n(?:[ \t].*\r\n)*/m, () => fields)
  return Buffer.concat([Buffer.from(head, "latin1"), bytes.subarray(end)])
}

/** The top-level domain is reserved for names that never exist (RFC 2606). */
const noSender = "unknown@sender.invalid"

/** Those of a list that have an address. */
const mailboxesAt = (record: unknown, name: string): Mailbox[] =>
  listAt(record, name).flatMap((one) => {
    const address = addressIn(textAt(one, "Email"))
    return address === undefined ? [] : [{ address, name: line(textAt(one, "Name")) }]
  })

const addressIn = (text: string | null): string | undefined => parseAddress(text ?? "")

/** The address of the author; undefined when there is none. */
const senderOf = (record: unknown): string | undefined =>
  addressIn(textAt(record, "FromFull", "Email")) ?? mailboxIn(textAt(record, "From"))

/** The address in a text that may have a name before it. */
const mailboxIn = (text: string | null): string | undefined =>
  addressIn(/<([^<>]+)>/.exec(text ?? "")?.[1] ?? null) ?? addressIn(text)

const messageIdIn = (header = ""): string | undefined =>
  /^[\x21-\x7e]+@[\x21-\x7e]+$/.exec(header.replace(/[<>\s]/g, ""))?.[0]

const listAt = (record: unknown, name: string): unknown[] => {
  const found = isObject(record) ? record[name] : undefined
  return Array.isArray(found) ? found : []
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a header
const line = (text: string | null): string => (text ?? "").replace(/[\x00-\x1f\x7f]+/g, " ")

function headerOf(record: unknown, name: string): string | undefined {
  const header = listAt(record, "Headers").find((one) => textAt(one, "Name")?.toLowerCase() === name.toLowerCase())
  return textAt(header, "Value") ?? undefined
}

/** They say that a program sent it by itself, which matters for answers (RFC 3834), and what it answers (RFC 5322, 3.6.4). */
const kept = [...marksOfAutomatic, "In-Reply-To", "References"]

const keptHeaders = (record: unknown): Record<string, string> =>
  Object.fromEntries(
    kept.flatMap((name) => {
      const value = headerOf(record, name)
      return value === undefined ? [] : [[name, line(value)]]
    }),
  )

const attachmentOf = (one: unknown): Attachment => {
  const contentId =
    textAt(one, "ContentID")
      ?.replace(/[^\x21-\x7e]|[<>]/g, "")
      .slice(0, 255) || null
  const contentType = line(textAt(one, "ContentType"))
  return {
    filename: line(textAt(one, "Name")) || "file",
    contentType: isMediaType(contentType) ? contentType : "application/octet-stream",
    content: Buffer.from(textAt(one, "Content") ?? "", "base64"),
    contentId,
    disposition: contentId === null ? "attachment" : "inline",
  }
}

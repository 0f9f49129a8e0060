import { marksOfAutomatic } from "../../inbound/automatic.ts"
import { renameFields } from "../../inbound/rename-fields.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { nilId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { isMediaType } from "../../kernel/media-type.ts"
import { compose } from "../../mail/compose.ts"
import { htmlFromText } from "../../mail/text-html.ts"
import type { Attachment } from "../../mail/transport.ts"
import { noVerdicts, type ProvidedMail } from "./provided.ts"
import { textAt } from "./provider-report.ts"

/**
 * Mail that Postmark has received: the message itself where the server of Postmark sends it (`RawEmail`), else composed of
 * the parts. Postmark writes no Authentication-Results, so those of a message are its sender's own.
 * https://postmarkapp.com/developer/webhooks/inbound-webhook
 */
export function postmarkMail(record: unknown, key: string): ProvidedMail {
  const raw = textAt(record, "RawEmail")
  const original = textAt(record, "OriginalRecipient")
  return {
    key,
    raw: () => (raw === null ? composed(record) : renameFields(Buffer.from(raw), ["Authentication-Results"])),
    mailFrom: senderOf(record) ?? "",
    recipients: original === null ? listAt(record, "ToFull").flatMap((one) => textAt(one, "Email") ?? []) : [original],
    verdicts: noVerdicts,
  }
}

function composed(record: unknown): Uint8Array {
  const text = textAt(record, "TextBody")
  const html = textAt(record, "HtmlBody")
  const [to] = listAt(record, "ToFull")
  return compose({
    id: nilId,
    projectId: nilId,
    stream: "transactional",
    envelopeFrom: "",
    // What is no address is shown as a name, because the message would be lost without one.
    from: {
      address: senderOf(record) ?? noSender,
      name: line(textAt(record, "FromFull", "Name") ?? (senderOf(record) ? null : textAt(record, "From"))),
    },
    // Mail by blind copy may name nobody.
    to: {
      address: addressIn(textAt(to, "Email")) ?? textAt(record, "OriginalRecipient") ?? noSender,
      name: line(textAt(to, "Name")),
    },
    replyTo: parseAddress(textAt(record, "ReplyTo") ?? "") ?? null,
    subject: line(textAt(record, "Subject")),
    html: html ?? htmlFromText(text ?? ""),
    ...(text !== null && { text }),
    headers: automaticOf(record),
    attachments: listAt(record, "Attachments").map(attachmentOf),
    listUnsubscribeUrl: null,
    bulk: false,
    list: null,
    date: Date.parse(textAt(record, "Date") ?? "") || 0,
    messageId: messageIdIn(headerOf(record, "Message-ID")) ?? `${textAt(record, "MessageID")}@postmark`,
  }).mime()
}

/** The top-level domain is reserved for names that never exist (RFC 2606). */
const noSender = "unknown@sender.invalid"

const addressIn = (text: string | null): string | undefined => parseAddress(text ?? "")

/** The address of the author; undefined when there is none. */
const senderOf = (record: unknown): string | undefined =>
  addressIn(textAt(record, "FromFull", "Email")) ??
  addressIn(/<([^<>]+)>/.exec(textAt(record, "From") ?? "")?.[1] ?? null) ??
  addressIn(textAt(record, "From"))

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

/** Says that a program sent it by itself, which matters for answers (RFC 3834). */
const automaticOf = (record: unknown): Record<string, string> =>
  Object.fromEntries(
    marksOfAutomatic.flatMap((name) => {
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

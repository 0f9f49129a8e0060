import { lengthOf } from "../../http/schema.ts"
import { firstOfEach } from "../../inbound/header-fields.ts"
import type { ParsedMessage } from "../../inbound/parse.ts"
import { recipientsIn } from "../../inbound/recipient.ts"
import { sealedBody } from "../../inbound/sealed-body.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault, invalid } from "../../kernel/errors.ts"
import { htmlFromText } from "../../mail/text-html.ts"
import type { Attachment } from "../../mail/transport.ts"
import { type AttachmentLimits, headerFaults, limitFaults, type Recipient, type SendRequest } from "../emails/index.ts"

export type { AttachmentLimits }

type Submission = SendRequest & { readonly from: string }

const longestHeader = 998
/** What can be folded may be longer, such as References of a long thread: RFC 5322 (2.1.1) limits lines. */
const longestFolded = 16_384
const longestWord = 900

/** Fields that are set from the envelope or anew, that only relaying servers write, or that sign other bytes. */
const own =
  /^(?:from|sender|to|cc|bcc|subject|date|message-id|reply-to|return-path|received|mime-version|content-.*|resent-.*|delivered-to|dkim-signature|arc-.*|authentication-results|received-spf)$/

/**
 * What a submitted message asks for, as `POST /v1/send` would be asked (contract B9.6.1): one mail for each recipient of
 * the envelope, with content that is sent as it is. Throws `invalid` for a message that cannot be sent. `raw` is the message
 * that was parsed.
 */
export function requestOf(
  message: ParsedMessage,
  raw: Uint8Array,
  addresses: readonly string[],
  limits: AttachmentLimits,
): Submission {
  const { from, subject, html, text } = message
  const sender = parseAddress(from?.address ?? "")
  const recipients = recipientsOf(message, addresses)
  const headers = headersOf(message)
  const [reply, ...others] = message.replyTo
  const faults: Fault[] = [
    ...(message.complete ? [] : [fault("body", "custom", "This message cannot be read to its end.")]),
    ...(sender === undefined ? [fault("from", "required", "The From header has no valid address.")] : []),
    ...recipients.flatMap(({ email }, at) =>
      email === undefined ? [fault("to", "invalid_string", `<${addresses[at]}> is not a valid address.`)] : [],
    ),
    ...lengthFaults("subject", "The subject", subject),
    ...headerFaults(headers),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isFoldable(value) ? [] : lengthFaults(`headers.${name}`, `The header ${name}`, value),
    ),
    ...attachmentFaults(message.attachments, limits),
  ]
  if (sender === undefined || faults.length > 0) throw invalid(faults)
  const replyTo = reply && others.length === 0 ? parseAddress(reply.address) : undefined
  return {
    to: recipients as Recipient[],
    subject: subject === "" ? "(no subject)" : subject,
    body: html ?? htmlFromText(text ?? ""),
    text: text ?? undefined,
    literal: true,
    from: sender,
    fromName: from?.name || undefined,
    replyTo,
    headers: replyTo === undefined ? { ...headers, ...replyHeader(message) } : headers,
    attachments: [...message.attachments, ...bodyOf(raw)],
  }
}

/** What is signed or encrypted leaves as it came (contract B9.6.8). */
function bodyOf(raw: Uint8Array): readonly Attachment[] {
  const content = sealedBody(raw)
  if (content === undefined) return []
  return [{ filename: "body.eml", contentType: "message/rfc822", content, contentId: null, disposition: "body" }]
}

/** The name of a recipient is that of the header that names them. */
function recipientsOf(message: ParsedMessage, addresses: readonly string[]) {
  const named = recipientsIn(message)
  return addresses.map((address) => ({ email: parseAddress(address), name: named(address).name }))
}

const headersOf = ({ headers }: ParsedMessage): Record<string, string> =>
  firstOfEach(headers.filter(({ name, value }) => value !== "" && !own.test(name.toLowerCase())))

/** A Reply-To with several addresses is kept as written; one without any is left out. */
function replyHeader({ headers, replyTo }: ParsedMessage): Record<string, string> {
  if (!replyTo.some(({ address }) => parseAddress(address) !== undefined)) return {}
  const written = headers.find(({ name }) => name.toLowerCase() === "reply-to")?.value
  return written ? { "Reply-To": written } : {}
}

const lengthFaults = (field: string, what: string, value: string): Fault[] =>
  lengthOf(value) > longestHeader
    ? [fault(field, "too_big", `${what} is longer than ${longestHeader} characters.`)]
    : []

const isFoldable = (value: string): boolean =>
  value.length <= longestFolded && value.split(/[ \t]/).every((word) => word.length <= longestWord)

function attachmentFaults(attachments: readonly Attachment[], limits: AttachmentLimits): Fault[] {
  const files = attachments.filter(({ disposition }) => disposition !== "alternative")
  const size = attachments.reduce((sum, { content }) => sum + content.byteLength, 0)
  return limitFaults(files.length, size, limits)
}

import { emailTag, type Mailbox, type Outgoing, projectTag } from "../../src/mail/transport.ts"
import type { PostmarkOptions } from "./options.ts"

/**
 * A message in the fields of Postmark's API, which composes it itself: it takes no MIME, so DKIM signatures, the envelope
 * sender and the date are its own. Its tracking stays off, for the links are tracked already.
 */
export function fieldsOf(message: Outgoing, streams: PostmarkOptions["streams"]) {
  const { id, projectId, stream, replyTo, subject, html, text, headers, messageId } = message
  const attachments = message.attachments.filter(({ disposition }) => disposition !== "body")
  return {
    From: mailbox(message.from),
    To: mailbox(message.to),
    ...(replyTo !== null && { ReplyTo: replyTo }),
    Subject: subject,
    HtmlBody: html,
    TextBody: text,
    // Without X-PM-KeepID the Message-ID would be replaced, and another attempt would not be known as the same message.
    Headers: [...headers, ["Message-ID", `<${messageId}>`] as const, ["X-PM-KeepID", "true"] as const].map(
      ([Name, Value]) => ({ Name, Value }),
    ),
    Attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
      Name: filename,
      ContentType: contentType,
      Content: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64"),
      ...(contentId !== null && { ContentID: `cid:${contentId}` }),
    })),
    MessageStream: streams[stream],
    Tag: projectId,
    // At most 20 characters in a name and 80 in a value.
    Metadata: { [emailTag]: id, [projectTag]: projectId },
    TrackOpens: false,
    TrackLinks: "None",
  }
}

/** The name as a quoted string (RFC 5322, 3.2.4); the API takes UTF-8. */
const mailbox = ({ name, address }: Mailbox): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`

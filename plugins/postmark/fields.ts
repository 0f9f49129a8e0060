import { emailTag, type Mailbox, type Outgoing, projectTag } from "../../src/mail/transport.ts"
import type { PostmarkOptions } from "./options.ts"

/**
 * A message as fields of Postmark's API, which accepts no MIME and composes the message itself, so DKIM signature,
 * envelope sender and date are Postmark's. Its tracking stays off, because the links are tracked already.
 */
export function fieldsOf(message: Outgoing, streams: PostmarkOptions["streams"]) {
  const { id, projectId, stream, replyTo, subject, text, headers, messageId } = message
  const { html, attachments } = withPlainIds(message)
  return {
    From: mailbox(message.from),
    To: mailbox(message.to),
    ...(replyTo !== null && { ReplyTo: replyTo }),
    Subject: subject,
    HtmlBody: html,
    TextBody: text,
    // Without X-PM-KeepID Postmark would replace the Message-ID, so that a repeated attempt could not be recognized as
    // the same message.
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

const plainId = /^[\x21-\x7e]+$/

/**
 * The HTML and its files, with content ids that Postmark takes: those in ASCII, without spaces.
 * https://postmarkapp.com/updates/upcoming-changes-to-attachment-validation-action-may-be-required
 */
function withPlainIds({ id, html, attachments }: Outgoing): Pick<Outgoing, "html" | "attachments"> {
  const odd = attachments.flatMap(({ contentId }) => (contentId === null || plainId.test(contentId) ? [] : [contentId]))
  // Longest first, because one id may be a prefix of another.
  const names = new Map(odd.toSorted((a, b) => b.length - a.length).map((given, at) => [given, `${at}.${id}`]))
  // In the HTML they are written literally, or URL-encoded (RFC 2392).
  const forms = [...names].flatMap(([given, own]) =>
    [given, encodeURI(given.toWellFormed())].map((form) => [`cid:${form}`, `cid:${own}`] as const),
  )
  return {
    html: forms.reduce((rest, [form, own]) => rest.replaceAll(form, own), html),
    attachments: attachments
      .filter(({ disposition }) => disposition !== "body")
      .map((one) => ({ ...one, contentId: names.get(one.contentId ?? "") ?? one.contentId })),
  }
}

/** The name as a quoted string (RFC 5322, 3.2.4); the API takes UTF-8. */
const mailbox = ({ name, address }: Mailbox): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`

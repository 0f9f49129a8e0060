import { fault, invalid } from "../../kernel/errors.ts"
import { isMediaType } from "../../kernel/media-type.ts"
import type { Draft } from "./draft.ts"
import { asciiId } from "./parts.ts"

// What cannot be folded must fit the 998 octets of a line (RFC 5322, 2.1.1): a header name, a content id.
const unfoldable = 900
const headerName = /^[\x21-\x39\x3b-\x7e]+$/
const address = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/
const messageId = /^[^\s<>]+@[^\s<>]+$/

/**
 * The last check against header injection: throws a `DomainError` of kind `invalid` that names the field, when any text
 * that reaches a header holds CR, LF, NUL or another control character (a tab is allowed in a subject, a display name
 * and a header value, where it is plain white space), or when an address, a header name or a media type is not valid.
 */
export function refuseInjection(draft: Draft): void {
  refuse(draft.envelopeFrom !== "" && !isAddress(draft.envelopeFrom), "envelopeFrom", "is no email address")
  refuse(!isAddress(draft.from.address), "from.email", "is no email address")
  refuse(!isAddress(draft.to.address), "to.email", "is no email address")
  refuse(hasControls(draft.from.name, true), "from.name", "holds a control character")
  refuse(hasControls(draft.to.name, true), "to.name", "holds a control character")
  refuse(draft.replyTo !== null && !isAddress(draft.replyTo), "reply", "is no email address")
  refuse(hasControls(draft.subject, true), "subject", "holds a control character")
  refuse(hasControls(draft.messageId) || !messageId.test(draft.messageId), "messageId", "is no message id")
  refuse(hasControls(draft.id) || !/^[\w.-]{1,60}$/.test(draft.id), "id", "cannot stand in a boundary")
  const url = draft.listUnsubscribeUrl
  refuse(url !== null && (hasControls(url) || /[\s<>]/.test(url)), "listUnsubscribeUrl", "is no URL")
  for (const [name, value] of Object.entries(draft.headers)) refuseHeader(name, value)
  for (const [index, { filename, contentType, contentId }] of draft.attachments.entries()) {
    const at = `attachments.${index}`
    refuse(hasControls(filename), `${at}.filename`, "holds a control character")
    refuse(!isMediaType(contentType), `${at}.contentType`, "is no media type")
    refuse(
      contentId !== null && (hasControls(contentId) || /[<>]/.test(contentId)),
      `${at}.contentId`,
      "is no content id",
    )
    refuse(contentId !== null && asciiId(contentId).length > unfoldable, `${at}.contentId`, "is too long")
  }
}

function refuseHeader(name: string, value: string): void {
  const field = `headers.${visible(name)}`
  refuse(name.length > unfoldable, field, "has too long a name")
  refuse(!headerName.test(name), field, "has a name that is not printable ASCII without space and colon")
  refuse(hasControls(value, true), field, "holds a control character")
}

const isAddress = (text: string): boolean => !hasControls(text) && address.test(text)

function hasControls(text: string, tabAllowed = false): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code < 32 || code === 127) && !(tabAllowed && code === 9)) return true
  }
  return false
}

/** A name shortened for an error message: at most 100 characters, control characters as `?`. */
const visible = (name: string): string => name.slice(0, 100).replace(/[^\x20-\x7e]/g, "?")

function refuse(faulty: boolean, field: string, what: string): void {
  if (faulty) throw invalid([fault(field, "invalid_string", `${field} ${what}.`)])
}

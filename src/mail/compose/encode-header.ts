import { encodeWord, encodeWords, foldLines, quoteString } from "nodemailer/lib/mime-funcs"
import MimeNode from "nodemailer/lib/mime-node"
import { isFieldOfAnswers } from "../../kernel/email-address.ts"
import type { Mailbox } from "../transport.ts"

const printable = /^[\x20-\x7e\t]*$/
const bareName = /^[\w ]*$/
const plainAddress = /^[^\s<>,;]+$/
// Encoded words of this many octets leave space for the field name in lines of 76 (RFC 2047, 2).
const wordLength = 52
const longestLine = 998

/** The phrase of a List-Id and its identifier, which is never encoded (RFC 2919, 3). */
const listId = /^(.*\S)\s*(<[\x21-\x7e]+>)$/

/** Fields of links in brackets, in which nothing may be an encoded word either (RFC 2369, 2; RFC 5064, 2.2). */
const ofLinks = /^(?:list-(?:unsubscribe|subscribe|help|post|owner|archive)|archived-at)$/i

/** One header field, encoded (RFC 2047) and folded, with its CRLF. */
export function textHeader(name: string, given: string): string {
  const value = ofLinks.test(name) ? withAsciiLinks(given) : given
  if (printable.test(value) && !value.includes("=?")) return foldLine(name, value)
  // Within addresses nothing may be encoded (RFC 2047, 5).
  if (isFieldOfAnswers(name)) return addressesHeader(name, value)
  const [, phraseOf = "", id] = (name.toLowerCase() === "list-id" && listId.exec(value)) || []
  if (id !== undefined && !printable.test(phraseOf)) return foldLine(name, `${asWords(phraseOf)} ${id}`)
  return foldLine(name, encodeText(value))
}

const withAsciiLinks = (value: string): string =>
  value.toWellFormed().replace(/<[^<>]*>/g, (link) => link.replace(/[^\x20-\x7e]+/g, encodeURIComponent))

/** Text that already contains valid encoded words was encoded by the sender; text that only looks like one is encoded. */
const encodeText = (value: string): string => encodeWords(value, wordEncoding(value), wordLength, true)

/**
 * The subject is always plain text: anything that looks like an encoded word is encoded, so that it arrives as written.
 */
export function subjectHeader(subject: string): string {
  const value = subject.trim()
  return printable.test(value) && !value.includes("=?")
    ? foldLine("Subject", value)
    : foldLine("Subject", asWords(value))
}

/** The address is always in brackets: spam filters count it against a mail with pictures when it is not. */
export function mailboxHeader(name: string, { name: shown, address }: Mailbox): string {
  const words = shown.replaceAll("\t", " ").trim()
  return foldLine(name, `${words === "" ? "" : `${phrase(words)} `}<${address}>`)
}

/** The same for several mailboxes, each on a line of its own; nothing for none. */
export function mailboxesHeader(name: string, mailboxes: readonly Mailbox[]): string {
  const values = mailboxes.map((mailbox) => mailboxHeader(name, mailbox).slice(`${name}:`.length, -"\r\n".length))
  return values.length > 0 ? `${name}:${values.join(",\r\n")}\r\n` : ""
}

/**
 * A plain address, or the value of a sender's own header: a list of mailboxes, or else any text. So is an address that is
 * not ASCII: unencoded, not every server would take the message (RFC 6531).
 */
export const replyToHeader = (value: string): string => addressesHeader("Reply-To", value)

function addressesHeader(name: string, value: string): string {
  const isEncoded = value.includes("=?") && encodeText(value) === value
  const isReady = printable.test(value) && (plainAddress.test(value) || isEncoded)
  const list = isReady ? value : MimeNode.encodeHeaderValue("Reply-To", value)
  return foldLine(name, list !== "" && printable.test(list) ? list : asWords(value))
}

function phrase(name: string): string {
  if (name.length < 200 && bareName.test(name)) return name
  // Some mail clients decode encoded words inside quotes too, so a name that looks like one is encoded as a whole.
  if (name.length < 200 && printable.test(name) && !name.includes("=?")) return quoteString(name)
  return asWords(name)
}

const asWords = (text: string): string => encodeWord(text, wordEncoding(text), wordLength)

/** Q while most characters need no escape, otherwise B. */
function wordEncoding(text: string): "Q" | "B" {
  let nonAscii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 126) nonAscii++
  return nonAscii * 3 > text.length ? "B" : "Q"
}

function foldLine(name: string, value: string): string {
  const line = `${name}: ${value}`
  if (line.length <= 76) return `${line}\r\n`
  const lines = foldLines(line, 76)
  // A line of nothing but white space could be read as the end of the header, and one of over 998 octets is illegal
  // (RFC 5322, 2.1.1 and 3.2.2). Both occur only in values without break points; encoded words can always be broken.
  const broken = lines.split("\r\n").some((part) => part.trim() === "" || Buffer.byteLength(part) > longestLine)
  return broken ? `${foldLines(`${name}: ${asWords(value)}`, 76)}\r\n` : `${lines}\r\n`
}

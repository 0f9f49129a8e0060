import { isAscii } from "node:buffer"
import { SmtpFailure } from "../failure.ts"
import type { Extensions } from "./extensions.ts"

/** RFC 5321 envelope. One recipient. */
interface Envelope {
  readonly from: string
  readonly to: string
}

/** Whether an address needs SMTPUTF8. */
const international = ({ from, to }: Envelope): boolean => !isAsciiText(from) || !isAsciiText(to)

/** Why a server with these extensions cannot take the message, if so. */
export function unfit(envelope: Envelope, size: number, extensions: Extensions): SmtpFailure | undefined {
  const { largest, smtpUtf8 } = extensions
  if (!isPath(envelope.from) || !isPath(envelope.to) || envelope.to === "")
    return new SmtpFailure("unfit", "an address holds what no command can hold")
  if (largest > 0 && size > largest)
    return new SmtpFailure("unfit", `the message has ${size} bytes, and the server takes at most ${largest}`)
  if (international(envelope) && !smtpUtf8)
    return new SmtpFailure("unfit", "the server takes no address with characters beyond ASCII (SMTPUTF8)")
  return undefined
}

/** The line MAIL FROM with its parameters (RFC 1870, 6152, 6531). */
export function mailLine(envelope: Envelope, bytes: Uint8Array, extensions: Extensions): string {
  const { eightBitMime, smtpUtf8, size } = extensions
  const utf8 = smtpUtf8 && international(envelope) ? " SMTPUTF8" : ""
  const body = eightBitMime && !isAscii(bytes) ? " BODY=8BITMIME" : ""
  return `MAIL FROM:<${envelope.from}>${utf8}${body}${size ? ` SIZE=${bytes.byteLength}` : ""}\r\n`
}

export const recipientLine = ({ to }: Envelope): string => `RCPT TO:<${to}>\r\n`

/** Refuses characters that would end the command line or the path. */
const isPath = (address: string): boolean => !/[\p{Cc}\s<>\u2028\u2029]/u.test(address) && address.length <= 1_000

function isAsciiText(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

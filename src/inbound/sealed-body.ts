import { isAscii } from "node:buffer"
import { headEnd } from "./header-fields.ts"

/**
 * The body of a message that its sender has signed or encrypted, or of a report for programs, below the `Content-` fields
 * that describe it, exactly as it came: written anew, a signature would no longer be valid (RFC 1847, RFC 8551), and no
 * program would find the report (RFC 6522). Undefined for any other message, and for one that other servers may change on the
 * way, because it has characters beyond ASCII, long lines, or line ends other than CRLF: nobody could rely on a signature of
 * it (RFC 1847, 2.1).
 */
export function sealedBody(raw: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = headEnd(bytes)
  const fields = bytes.toString("latin1", 0, end).match(contentFields) ?? []
  if (!fields.some((field) => sealedType.test(field))) return undefined
  const sealed = Buffer.concat([Buffer.from(`${fields.join("")}\r\n`, "latin1"), bytes.subarray(end)])
  return arrivesUnchanged(sealed) ? sealed : undefined
}

/** Each with its folded lines. */
const contentFields = /^content-[\w-]+[ \t]*:.*(?:\r\n[ \t].*)*\r\n/gim

const sealedType =
  /^content-type[ \t]*:\s*(?:multipart\/(?:signed|encrypted|report)|application\/(?:x-)?pkcs7-mime)(?=[\s;]|$)/i

/** RFC 5322, 2.1.1; without CRLF. */
const longestLine = 998

function arrivesUnchanged(bytes: Buffer): boolean {
  if (!isAscii(bytes) || bytes.includes(0)) return false
  let returns = 0
  let start = 0
  for (let feed = bytes.indexOf(10); feed >= 0; feed = bytes.indexOf(10, start)) {
    if (bytes[feed - 1] !== 13 || feed - 1 - start > longestLine) return false
    returns++
    start = feed + 1
  }
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) returns--
  return returns === 0 && bytes.length - start <= longestLine
}

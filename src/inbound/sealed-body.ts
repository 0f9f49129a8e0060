import { arrivesUnaltered } from "../mail/unaltered.ts"
import { headEnd } from "./header-fields.ts"

/**
 * The unchanged body of a message that is signed, encrypted or a machine-readable report, with its `Content-` fields:
 * composing it anew would invalidate the signature (RFC 1847, RFC 8551), and programs would not recognize the report
 * (RFC 6522). Undefined for any other message, and for one that servers may alter in transit because it has characters
 * beyond ASCII, long lines, or line ends other than CRLF, which signed messages must not have (RFC 1847, 2.1).
 */
export function sealedBody(raw: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = headEnd(bytes)
  const fields = bytes.toString("latin1", 0, end).match(contentFields) ?? []
  if (!fields.some((field) => sealedType.test(field))) return undefined
  const sealed = Buffer.concat([Buffer.from(`${fields.join("")}\r\n`, "latin1"), bytes.subarray(end)])
  return arrivesUnaltered(sealed) ? sealed : undefined
}

/** Each with its folded lines. */
const contentFields = /^content-[\w-]+[ \t]*:.*(?:\r\n[ \t].*)*\r\n/gim

const sealedType =
  /^content-type[ \t]*:\s*(?:multipart\/(?:signed|encrypted|report)|application\/(?:x-)?pkcs7-mime)(?=[\s;]|$)/i

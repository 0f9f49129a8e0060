import { headEnd } from "./header-fields.ts"

/**
 * The message with `X-Original-` before the names of these header fields: values from the sender must not be mistaken
 * for those of the receiving server (RFC 8601, 5).
 */
export function renameFields(raw: Uint8Array, names: readonly string[]): Buffer {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = headEnd(bytes)
  const field = new RegExp(`^(?=(?:${names.join("|")})[ \\t]{0,9}:)`, "gim")
  const head = bytes.toString("latin1", 0, end).replace(field, "X-Original-")
  return Buffer.concat([Buffer.from(head, "latin1"), bytes.subarray(end)])
}

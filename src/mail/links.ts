import { timingSafeEqual } from "node:crypto"
import type { Secret } from "../store/secret.ts"

/** The public pages a recipient reaches by a link in the mail (contract A7.4). */
export const pageKinds = ["unsubscribe", "subscribe", "manage"] as const
export type PageKind = (typeof pageKinds)[number]

export interface Links {
  /** The address of a hosted page for the recipient of a message. The token is signed, opaque and serves this kind only. */
  page(kind: PageKind, contactId: string, emailId: string): string
  /** Whose token it is, or undefined for one that is not ours. */
  readPage(kind: PageKind, token: string): { contactId: string; emailId: string } | undefined
}

const idBytes = 16
const macBytes = 16

/** Tokens are two ids and an HMAC-SHA256 of them, cut to 128 bits, in base64url. They do not expire. */
export function createLinks(baseUrl: () => string, secret: Secret): Links {
  const sign = (kind: PageKind, ids: Buffer) =>
    secret.sign(`link.${kind}`, ids.toString("latin1")).subarray(0, macBytes)
  return {
    page(kind, contactId, emailId) {
      const ids = Buffer.concat([bytesOf(contactId), bytesOf(emailId)])
      return `${baseUrl()}/${kind}/${Buffer.concat([ids, sign(kind, ids)]).toString("base64url")}`
    },
    readPage(kind, token) {
      const bytes = Buffer.from(token, "base64url")
      if (bytes.length !== 2 * idBytes + macBytes || bytes.toString("base64url") !== token) return undefined
      const ids = bytes.subarray(0, 2 * idBytes)
      if (!timingSafeEqual(sign(kind, ids), bytes.subarray(2 * idBytes))) return undefined
      return { contactId: idOf(ids.subarray(0, idBytes)), emailId: idOf(ids.subarray(idBytes)) }
    },
  }
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex")

function idOf(bytes: Buffer): string {
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

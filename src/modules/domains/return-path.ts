import { timingSafeEqual } from "node:crypto"
import { domainOf, parseAddress } from "../../kernel/email-address.ts"
import type { Secret } from "../../store/secret.ts"

/**
 * Addresses of the return path (contract B9.6.4): `bounce+<token>@<host>`, the envelope sender of one message. The token is
 * the id of the message and an HMAC of id and host, cut to 80 bits. It is hexadecimal, because servers on the way may
 * change the case of an address, and the local part has 59 of at most 64 octets (RFC 5321, 4.5.3.1.1).
 */
interface ReturnPaths {
  addressOf(emailId: string, host: string): string
  /** The message that an address was made for; undefined for an address that is not ours. */
  read(address: string): string | undefined
}

const prefix = "bounce+"
const macBytes = 10
const token = /^[0-9a-f]{52}$/

export function createReturnPaths(secret: Pick<Secret, "sign">): ReturnPaths {
  const macOf = (hexId: string, host: string) => secret.sign("return_path", `${hexId}@${host}`).subarray(0, macBytes)
  return {
    addressOf(emailId, host) {
      const hexId = emailId.replaceAll("-", "")
      return `${prefix}${hexId}${macOf(hexId, host).toString("hex")}@${host}`
    },
    read(given) {
      const address = parseAddress(given)
      if (address === undefined || !isReturnPath(address)) return undefined
      const text = address.slice(prefix.length, address.lastIndexOf("@"))
      if (!token.test(text)) return undefined
      const hexId = text.slice(0, 32)
      if (!timingSafeEqual(macOf(hexId, domainOf(address)), Buffer.from(text.slice(32), "hex"))) return undefined
      return hexId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
    },
  }
}

/** Whether an address has the form of a return path, with whatever token. */
export const isReturnPath = (address: string): boolean => address.startsWith(prefix)

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"

/** The key pair of an account: P-256, signs with ES256 (RFC 7518, 3.4). */
export interface AccountKey {
  readonly pem: string
  /**
   * A flattened JSON Web Signature of an ACME request (RFC 8555, 6.2). A payload of "" is that of POST-as-GET; the account
   * is named by its URL, or before it has one by the key.
   */
  sign(
    payload: string,
    header: { readonly nonce: string; readonly url: string; readonly kid: string | undefined },
  ): string
  /** What a challenge's token is answered with (RFC 8555, 8.1). */
  authorization(token: string): string
}

export const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

export const pemOf = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }))

export function accountKeyOf(pem: string): AccountKey {
  const key = createPrivateKey(pem)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" })
  // In the order of RFC 7638, 3.3.
  const jwk = { crv, kty, x, y }
  const thumbprint = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url")
  return {
    pem,
    sign(payload, { kid, ...header }) {
      const head = encode(JSON.stringify({ alg: "ES256", ...(kid === undefined ? { jwk } : { kid }), ...header }))
      const body = encode(payload)
      const signature = sign("sha256", Buffer.from(`${head}.${body}`), { key, dsaEncoding: "ieee-p1363" })
      return JSON.stringify({ protected: head, payload: body, signature: signature.toString("base64url") })
    },
    authorization: (token) => `${token}.${thumbprint}`,
  }
}

const encode = (text: string): string => Buffer.from(text).toString("base64url")

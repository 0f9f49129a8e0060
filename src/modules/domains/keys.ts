import { generateKeyPair, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import type { KeyAlgorithm } from "./table.ts"

export interface NewKey {
  readonly selector: string
  readonly algorithm: KeyAlgorithm
  /**
   * The value of `p=` in the DNS record, in base64: the SubjectPublicKeyInfo for RSA, the 32 bytes of the key for
   * Ed25519.
   */
  readonly publicKey: string
  /** PKCS #8 in PEM form. */
  readonly privateKey: string
}

const generate = promisify(generateKeyPair)

/**
 * Creates two keys of a domain off the event loop, with selectors from the number `first` on. Verifiers that do not support
 * the second one use the first.
 */
export async function newKeys(first = 1): Promise<NewKey[]> {
  const [rsa, ed25519] = await Promise.all([generate("rsa", { modulusLength: 2_048 }), generate("ed25519")])
  return [
    { selector: `ms${first}`, algorithm: "rsa", ...texts(rsa, (key) => spki(key).toString("base64")) },
    // The key is the last 32 bytes of its SubjectPublicKeyInfo (RFC 8410, 4; RFC 8463, 4.2).
    {
      selector: `ms${first + 1}`,
      algorithm: "ed25519",
      ...texts(ed25519, (key) => spki(key).subarray(-32).toString("base64")),
    },
  ]
}

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

const texts = ({ publicKey, privateKey }: Pair, encode: (key: KeyObject) => string) => ({
  publicKey: encode(publicKey),
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
})

const spki = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" })

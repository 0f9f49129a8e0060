import { generateKeyPair, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import { createTurns } from "../../kernel/turns.ts"
import type { KeyAlgorithm } from "./table.ts"

interface NewKey {
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

/** Creates two keys of a domain off the event loop, with selectors from the number `first` on. */
type MakeKeys = (projectId: string, first: number) => Promise<NewKey[]>

/**
 * Makes the keys of one domain at a time: an RSA key takes a tenth of a second, on the threads on which passwords are hashed
 * and files are read.
 */
export function createKeyMaker(): MakeKeys {
  const inTurn = createTurns()
  return (projectId, first) => inTurn(projectId, () => newKeys(first))
}

const generate = promisify(generateKeyPair)

/** Verifiers that do not support the second key use the first. */
async function newKeys(first: number): Promise<NewKey[]> {
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

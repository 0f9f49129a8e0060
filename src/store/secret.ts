import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"
import { makeFile, readFileIfThere } from "./private-file.ts"

/** Signs and encrypts for the instance. Each purpose has its own key, derived from one secret. */
export interface Secret {
  /** HMAC-SHA256 of the text under the key of this purpose. */
  sign(purpose: string, text: string): Buffer
  /** The key of this purpose, for another thread that signs. */
  key(purpose: string): Buffer
  verify(purpose: string, text: string, signature: Uint8Array): boolean
  /** Encrypts with AES-256-GCM: for values that must be shown again, such as an API key. */
  seal(text: string): string
  open(sealed: string): string
}

/**
 * The secret of a data folder: 32 random bytes, created at first start, readable by the owner only. `sealed` is a value
 * of the database, if there is one: a folder whose secret does not open it, or is missing, is refused and left as it is.
 */
export function openSecret(folder: string, sealed?: string): Secret {
  const path = join(folder, "secret")
  // On disk before anything is sealed with it.
  if (sealed === undefined && !existsSync(path)) makeFile(path, randomBytes(32).toString("hex"))
  const secret = createSecret(rootIn(path))
  if (sealed === undefined || opens(secret, sealed)) return secret
  throw refusal(path, "is not the secret with which the keys in the database beside it are encrypted")
}

function opens(secret: Secret, sealed: string): boolean {
  try {
    secret.open(sealed)
    return true
  } catch {
    return false
  }
}

function rootIn(path: string): Buffer {
  const text = textIn(path).trim()
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex")
  throw refusal(path, "does not hold 64 hexadecimal digits")
}

function textIn(path: string): string {
  const text = readFileIfThere(path)
  if (text !== undefined) return text
  throw refusal(path, "is missing, and the keys in the database beside it are encrypted with it")
}

const refusal = (path: string, fault: string): DomainError =>
  new DomainError("unavailable", "STORE_UNUSABLE", `${path} ${fault}: restore it from a backup.`)

/** Identifies the secret without revealing it, so that a backup is only restored with its own. */
export const secretIdOf = (path: string): string =>
  createSecret(rootIn(path)).sign("backup.identity", "").toString("hex").slice(0, 32)

/** HMAC-SHA256. Bun's own hasher takes half the time of node:crypto, and every request with a session waits for it. */
export const signWith = (key: Uint8Array, text: string): Buffer =>
  new Bun.CryptoHasher("sha256", key).update(text).digest()

export function createSecret(root: Buffer): Secret {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string): Buffer => {
    const known = keys.get(purpose) ?? createHmac("sha256", root).update(purpose).digest()
    keys.set(purpose, known)
    return known
  }
  const sign = (purpose: string, text: string) => signWith(keyOf(purpose), text)
  return {
    sign,
    key: keyOf,
    verify(purpose, text, signature) {
      const wanted = sign(purpose, text)
      return signature.length === wanted.length && timingSafeEqual(wanted, signature)
    },
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", keyOf("seal"), nonce)
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64")
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64")
      const decipher = createDecipheriv("aes-256-gcm", keyOf("seal"), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8")
    },
  }
}

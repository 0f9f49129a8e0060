import { randomBytes } from "node:crypto"
import type { Secret } from "../../store/secret.ts"

/** A key pair of a project: `pk_` or `sk_` and 64 hexadecimal characters (contract A1.5.1). */
export interface KeyPair {
  readonly public: string
  readonly secret: string
}

export const newKeyPair = (): KeyPair => ({
  public: `pk_${randomBytes(32).toString("hex")}`,
  secret: `sk_${randomBytes(32).toString("hex")}`,
})

export const isGeneratedKey = (key: string): boolean => /^[ps]k_[0-9a-f]{64}$/.test(key)

/** Secret keys are looked up by this hash, so that they are never compared character by character. */
export const hashOfKey = (key: string): string => new Bun.CryptoHasher("sha256").update(key).digest("hex")

/** The columns of a project that hold its secret key: one to find it by, and one to show it again. */
export const storedKey = (key: string, secret: Pick<Secret, "seal">) => ({
  secretHash: hashOfKey(key),
  secretSealed: secret.seal(key),
})

import { join } from "node:path"
import { isObject } from "../../kernel/json.ts"
import { readFileIfThere, replaceFile } from "../../store/private-file.ts"
import { type Certificate, requirePair } from "../certificate.ts"
import { type AccountKey, accountKeyOf, newKey, pemOf } from "./account-key.ts"

/**
 * The state of the last attempts. Stored before each attempt, so that repeated restarts do not cause repeated requests.
 */
export interface Attempts {
  /** Those that failed since the last success, with the one under way. */
  readonly count: number
  /** In ms. */
  readonly nextAt: number
  /** Why the last one failed, a sentence. */
  readonly problem: string | null
  /** What the certificate was requested for. */
  readonly of: string
}

/** Identifies the authority and the names: stored state of others is ignored. */
export const purposeOf = (directory: string, names: readonly string[]): string =>
  [directory, ...new Set(names.toSorted())].join(" ")

export interface KeptCertificate {
  readonly certificate: Certificate
  /** What it was obtained for. */
  readonly of: string
}

const pem = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g

/** The account, the certificate and the attempts of a data folder, each in a file of its own that only the owner reads. */
export function acmeFolder(data: string) {
  const at = (name: string) => join(data, "tls", name)
  return {
    /** The key of the account, created when missing. Throws when it cannot be read, because it may still be valid. */
    account(): AccountKey {
      const found = readFileIfThere(at("account.pem"))
      if (found !== undefined) return accountKeyOf(found)
      const made = pemOf(newKey())
      replaceFile(at("account.pem"), made)
      return accountKeyOf(made)
    },

    /** Undefined when there is none, or none that can be used. */
    certificate(): KeptCertificate | undefined {
      const text = readFileIfThere(at("certificate.pem")) ?? ""
      const [key, ...chain] = text.match(pem) ?? []
      if (key === undefined || chain.length === 0) return undefined
      try {
        return { certificate: requirePair({ key, cert: chain.join("") }), of: text.split("\n", 1)[0] ?? "" }
      } catch {
        return undefined
      }
    },

    /**
     * Key and chain in one file, because one without the other is of no use; what they were obtained for is on the first
     * line, which readers of PEM skip (RFC 7468, 5.2).
     */
    keepCertificate({ certificate: { key, cert }, of }: KeptCertificate): void {
      replaceFile(at("certificate.pem"), `${of}\n${key.trim()}\n${cert.trim()}\n`)
    },

    attempts(): Attempts | undefined {
      try {
        const value: unknown = JSON.parse(readFileIfThere(at("attempts.json")) ?? "")
        if (!isObject(value)) return undefined
        const { count, nextAt, problem, of } = value
        if (typeof count !== "number" || typeof nextAt !== "number" || typeof of !== "string") return undefined
        return { count, nextAt, of, problem: typeof problem === "string" ? problem : null }
      } catch {
        return undefined
      }
    },

    keepAttempts(attempts: Attempts): void {
      replaceFile(at("attempts.json"), `${JSON.stringify(attempts)}\n`)
    },
  }
}

export type AcmeFolder = ReturnType<typeof acmeFolder>

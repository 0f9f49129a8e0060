import { domainOf } from "../../kernel/email-address.ts"
import type { Dns } from "../../net/dns.ts"
import type { Lists } from "./lists.ts"
import { type Findings, type Flags, findingsOf, flagsOf, reasonsFor } from "./rules.ts"

interface Verified extends Flags, Omit<Findings, "mail"> {
  readonly email: string
  readonly valid: boolean
  /** Sentences for display. */
  readonly reasons: readonly string[]
}

export interface VerificationDeps {
  readonly dns: Pick<Dns, "mx" | "addresses">
  readonly lists: () => Promise<Lists>
}

export function createVerificationActions({ dns, lists }: VerificationDeps) {
  return {
    /** Checks a canonical address without sending mail to it (contract A4.4). Stores nothing. */
    async verify(email: string): Promise<Verified> {
      const domain = domainOf(email)
      const [known, mx, addresses] = await Promise.all([lists(), dns.mx(domain), dns.addresses(domain)])
      const flags = flagsOf(email, known)
      const findings = findingsOf(mx, addresses)
      const { domainExists, hasWebsite, hasMxRecords } = findings
      const { suggestedEmail, ...rest } = flags
      return {
        email,
        valid: domainExists && hasMxRecords,
        ...rest,
        domainExists,
        hasWebsite,
        hasMxRecords,
        ...(suggestedEmail === undefined ? {} : { suggestedEmail }),
        reasons: reasonsFor(email, flags, findings),
      }
    },
  }
}

export type Verification = ReturnType<typeof createVerificationActions>

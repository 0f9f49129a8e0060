import { parseInternational } from "../kernel/email-address.ts"
import type { Mailbox } from "../mail/transport.ts"

/**
 * An address in canonical form (contract A1.2.6). Recipients that are not valid addresses here, such as
 * `root@localhost`, are in lower case.
 */
export const canonicalRecipient = (address: string): string => parseInternational(address) ?? address.toLowerCase()

interface Named {
  /** Null where the headers have none. */
  readonly name: string | null
  /** The header that names the recipient; others are only in the envelope (RFC 5322, 3.6.3). */
  readonly addressedBy: "TO" | "CC" | "BCC"
}

/**
 * Finds what the headers of a message say about recipients of its envelope. The headers are indexed once, because a
 * sender may put thousands of addresses into both lists.
 */
export function recipientsIn({
  to,
  cc,
}: {
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
}): (recipient: string) => Named {
  const named = new Map<string, Named>()
  const add = (boxes: readonly Mailbox[], addressedBy: Named["addressedBy"]): void => {
    for (const { name, address } of boxes) {
      const canonical = canonicalRecipient(address)
      if (!named.has(canonical)) named.set(canonical, { name: name || null, addressedBy })
    }
  }
  add(to, "TO")
  add(cc, "CC")
  return (recipient) => named.get(canonicalRecipient(recipient)) ?? { name: null, addressedBy: "BCC" }
}

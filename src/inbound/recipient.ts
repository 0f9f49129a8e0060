import { parseInternational } from "../kernel/email-address.ts"
import type { Mailbox } from "../mail/transport.ts"

/**
 * An address in canonical form (contract A1.2.6). What is no address here, such as `root@localhost`, which programs use as
 * a recipient, is in lower case.
 */
export const canonicalRecipient = (address: string): string => parseInternational(address) ?? address.toLowerCase()

interface Named {
  /** Null where the headers have none. */
  readonly name: string | null
  /** The header that names the recipient; others are only in the envelope (RFC 5322, 3.6.3). */
  readonly addressedBy: "TO" | "CC" | "BCC"
}

/** What the headers of a message say of a recipient of its envelope. */
export function recipientIn(
  { to, cc }: { readonly to: readonly Mailbox[]; readonly cc: readonly Mailbox[] },
  recipient: string,
): Named {
  const canonical = canonicalRecipient(recipient)
  const isNamed = ({ address }: Mailbox): boolean => canonicalRecipient(address) === canonical
  return {
    name: [...to, ...cc].find(isNamed)?.name || null,
    addressedBy: to.some(isNamed) ? "TO" : cc.some(isNamed) ? "CC" : "BCC",
  }
}

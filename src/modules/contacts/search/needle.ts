import { canonicalPart } from "../../../kernel/email-address.ts"

/** Characters that an address may have in its canonical form (contract A1.2.6), and the most of them. */
const ofAddresses = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]{1,254}$/

/** A search text in the form of stored addresses. Undefined when no address can contain the text. */
export function needleOf(search: string): string | undefined {
  const needle = canonicalPart(search)
  return ofAddresses.test(needle) ? needle : undefined
}

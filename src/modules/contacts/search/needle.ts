/** Characters that an address may have in its canonical form (contract A1.2.6), and the most of them. */
const ofAddresses = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]{1,254}$/

/**
 * A search text in the form of stored addresses: these are lower case and ASCII, so only A to Z are folded. Undefined
 * when no address can contain the text.
 */
export function needleOf(search: string): string | undefined {
  const needle = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return ofAddresses.test(needle) ? needle : undefined
}

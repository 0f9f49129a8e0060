/** Characters that an address may have in its canonical form (contract A1.2.6), and the most of them. */
const ofAddresses = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]{1,254}$/

/**
 * What to look for in stored addresses: all of them are in lower case and ASCII, so the case of A to Z is all that has to
 * go. Undefined when no address can hold the text.
 */
export function needleOf(search: string): string | undefined {
  const needle = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return ofAddresses.test(needle) ? needle : undefined
}

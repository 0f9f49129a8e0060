/** Which characters match each other in a search that ignores case. */

/** Longer than any subject of a mail. No text contains a longer one. */
export const longestText = 2_000

/** A to Z in lower case, all other letters as they are (contract B2.4.4). */
export const foldCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)
const upperOf = (letter: string): string => letter.toLowerCase().toUpperCase()

/**
 * Letters that share an upper case with others but are neither that upper case nor its lower case, without those of A
 * to Z.
 */
const strays = [..."ςµǅǈǋǲϐϑϕϖϰϱϴϵẛ\u0345\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1fbe\u2126\u212b"]

/** The single characters that match a character: itself, and its other cases. */
export function casesOf(letter: string): string[] {
  const upper = upperOf(letter)
  const cases = new Set([letter, upper, letter.toLowerCase(), upper.toLowerCase()])
  for (const stray of strays) if (upperOf(stray) === upper) cases.add(stray)
  return [...cases].filter((one) => [...one].length === 1)
}

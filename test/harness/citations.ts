/**
 * The contract's numbers (`test/contract/`) and where they are cited. Every heading, numbered list item, numbered table
 * row and worked case of the contract can be cited: `contract A4.3.1`.
 */

/**
 * A number that occurs twice in the contract is reported in `duplicates`, because a citation of it would be ambiguous.
 */
export function citable(parts: readonly string[]): { numbers: ReadonlySet<string>; duplicates: readonly string[] } {
  const numbers = new Set<string>()
  const duplicates: string[] = []
  for (const number of parts.flatMap(numbersOf)) {
    if (numbers.has(number)) duplicates.push(number)
    numbers.add(number)
  }
  return { numbers, duplicates }
}

function numbersOf(part: string): string[] {
  let section: string | undefined
  return part.split("\n").flatMap((line) => {
    if (line.startsWith("#")) {
      section = /^#+ ([AB]\d+(?:\.\d+)?) /.exec(line)?.[1]
      return section ?? []
    }
    const whole = /^\| ([AB]\d+\.\d+) \|/.exec(line)?.[1]
    if (whole !== undefined) return whole
    const item = /^(?:\| (\d{1,2}) \||(\d{1,2})\. |(\d{1,2}) .* => )/.exec(line)
    const number = item?.[1] ?? item?.[2] ?? item?.[3]
    return section === undefined || number === undefined ? [] : `${section}.${number}`
  })
}

const number = String.raw`[AB]\d{1,2}(?:\.\d{1,3})*`
const list = String.raw`${number}(?:(?:,|,? and| or| to)\s+${number})*`
const citation = new RegExp(String.raw`\b[Cc]ontract\s+(${list})`, "g")
/** A number without the word contract: with a dot anywhere, without one only in brackets. */
const bare = /(?<![\w.#-])(?:[AB]\d{1,2}(?:\.\d{1,3})+(?![\w-])|(?<=\()[AB]\d{1,2}(?=[),:]))/g

/** Documents that a reader of the repository does not have. */
const unreadable = [
  /\b(?:[Ss]pec|[Dd]esign|[Ii]ssue|[Ss]tyle)\s+(?:section\s+|§\s*)?\d/g,
  /\b[Tt]he (?:spec|specification|design document)\b(?! of)/g,
  /\/work\/|\bcontract-[ab]\.md\b|\b(?:spec|design|style|security)\.md\b/g,
  /\b[Cc]ontract [AB]\b(?!\d)/g,
]

/** Every citation in `text` that a reader cannot follow, as a sentence with its place. */
export function badCitations(path: string, text: string, numbers: ReadonlySet<string>): string[] {
  const flat = withoutContinuations(text)
  const found: { at: number; why: string }[] = []
  const cited = flat.replaceAll(citation, (match, cites: string, at: number) => {
    for (const one of cites.match(new RegExp(number, "g")) ?? [])
      if (!numbers.has(one)) found.push({ at, why: `the contract has no ${one}` })
    return " ".repeat(match.length)
  })
  for (const match of cited.matchAll(bare))
    found.push({ at: match.index, why: `${match[0]} is cited without the word contract` })
  for (const pattern of unreadable)
    for (const match of cited.matchAll(pattern))
      found.push({ at: match.index, why: `"${match[0]}" is not in this repository` })
  return found
    .sort((one, other) => one.at - other.at)
    .map(({ at, why }) => `${path}:${text.slice(0, at).split("\n").length} ${why}`)
}

/** A comment that continues on the next line is read as one line; every character keeps its position. */
const withoutContinuations = (text: string): string =>
  text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (match) => " ".repeat(match.length))

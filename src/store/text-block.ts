import { casesOf, foldCase, isAscii, longestText } from "./letter-cases.ts"

/**
 * The texts of consecutive records in a form that is searched fast: each record has a line of its own, and shares a text
 * with the records around it, which is stored once for as many as have it in a row. A to Z are in lower case.
 */
interface TextBlock {
  /** A line for each record. */
  readonly own: string
  /** A line for each run of records with the same text. */
  readonly shared: string
  /** The place of the first record of each run. */
  readonly starts: readonly number[]
}

/** Stands for a line feed inside a text. */
const lineFeed = "\u0001"

const lineOf = (text: string): string => foldCase(text).replaceAll("\n", lineFeed)

export function packText(records: readonly { readonly own: string; readonly shared: string }[]): TextBlock {
  const runs = records.flatMap(({ shared }, at) => (shared === records[at - 1]?.shared ? [] : [{ at, shared }]))
  return {
    own: records.map(({ own }) => lineOf(own)).join("\n"),
    shared: runs.map(({ shared }) => lineOf(shared)).join("\n"),
    starts: runs.map(({ at }) => at),
  }
}

/** Whether blocks can be searched for a text: not when it has a line feed, or what stands for one. */
export const isSearchable = (text: string): boolean => !text.includes("\n") && !text.includes(lineFeed)

/** The places of the records that contain a text, in order, with the same result as `containsText` of the dialect. */
export function placesOf({ own, shared, starts }: TextBlock, text: string): number[] {
  const find = finderOf(text)
  const places = find(own)
  const runs = find(shared)
  if (runs.length === 0) return places
  const found = new Uint8Array(countLines(own))
  for (const place of places) found[place] = 1
  for (const run of runs) found.fill(1, starts[run], starts[run + 1])
  const all: number[] = []
  for (let place = found.indexOf(1); place >= 0; place = found.indexOf(1, place + 1)) all.push(place)
  return all
}

/**
 * How many records of a block contain a text. `own` and `shared` are UTF-8, `starts` is JSON, which is only read when
 * needed. Most blocks are decided by a look at the bytes; of an ASCII text the bytes of others need not be decoded.
 */
export function countRecords(own: Uint8Array, shared: Uint8Array, starts: string, text: string): number {
  const [ownBytes, sharedBytes] = [bufferOf(own), bufferOf(shared)]
  const isPlain = isAscii(text) && !isDouble(text)
  if (isPlain) {
    const wanted = foldCase(text)
    if (!ownBytes.includes(wanted, 0, "latin1") && !sharedBytes.includes(wanted, 0, "latin1")) return 0
  }
  const encoding = isPlain ? "latin1" : "utf8"
  return countPlaces(ownBytes.toString(encoding), sharedBytes.toString(encoding), starts, text)
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

function countPlaces(own: string, shared: string, starts: string, text: string): number {
  const find = finderOf(text)
  const runs = find(shared)
  const places = find(own)
  if (runs.length === 0) return places.length
  const from = JSON.parse(starts) as number[]
  let count = 0
  let at = 0
  for (const run of runs) {
    const first = from[run] ?? 0
    const end = from[run + 1] ?? countLines(own)
    for (; (places[at] ?? end) < first; at++) count++
    while ((places[at] ?? end) < end) at++
    count += end - first
  }
  return count + places.length - at
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/** Whether the text has what ß stands for. */
const isDouble = (text: string): boolean => /ss|[ßẞ]/i.test(text)

type Finder = (lines: string) => number[]

let last: { readonly text: string; readonly find: Finder } | undefined

/** The numbers of the lines that contain a text. A search asks for many blocks in turn, so the last one is kept. */
function finderOf(text: string): Finder {
  if (last?.text !== text) last = { text, find: createFinder(text) }
  return last.find
}

function createFinder(text: string): Finder {
  if (text.includes("\0") || text.length > longestText) return () => []
  const part = text.replace(/[ßẞ]/g, "ss")
  const replaces = isDouble(text)
  const whole = (lines: string) => (replaces ? lines.replace(/[ßẞ]/g, "ss") : lines)
  if (isAscii(part)) {
    const wanted = foldCase(part)
    return (lines) => numbersOf(whole(lines), (all, from) => all.indexOf(wanted, from))
  }
  const pattern = new RegExp(Array.from(part, anyCaseOf).join(""), "gu")
  return (lines) =>
    numbersOf(whole(lines), (all, from) => {
      pattern.lastIndex = from
      return pattern.exec(all)?.index ?? -1
    })
}

function anyCaseOf(letter: string): string {
  const cases = casesOf(letter)
  const escaped = (cases.length > 0 ? cases : [letter]).map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return `[${escaped.join("")}]`
}

function numbersOf(lines: string, next: (all: string, from: number) => number): number[] {
  const numbers: number[] = []
  let number = 0
  let start = 0
  for (let at = next(lines, 0); at >= 0; at = next(lines, start)) {
    let end = lines.indexOf("\n", start)
    while (end >= 0 && end < at) {
      number++
      start = end + 1
      end = lines.indexOf("\n", start)
    }
    numbers.push(number++)
    if (end < 0) break
    start = end + 1
  }
  return numbers
}

import { formatInstant, parseInstant } from "./dates.ts"
import { charge, chargeText, inPieces, type Run, refuseOversized } from "./run.ts"
import { joined, textOf, truth } from "./values.ts"

export interface Helper {
  /** Missing arguments are undefined, surplus ones are ignored. */
  call(args: readonly unknown[], run: Run): unknown
  /** Arguments that can also be given by name, with their positions. */
  readonly named?: ReadonlyMap<string, number>
}

const blockNames = ["if", "unless", "each", "with"] as const
type BlockName = (typeof blockNames)[number]
export const isBlockName = (name: string): name is BlockName => (blockNames as readonly string[]).includes(name)

const not =
  (test: Helper["call"]): Helper["call"] =>
  (args, run) =>
    !test(args, run)

const equal: Helper["call"] = ([a, b], run) => {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) chargeText(run, a)
  return a === b
}

/** Two numbers by value, two strings by code point, anything else is false. */
const compare =
  (holds: (order: number) => boolean): Helper["call"] =>
  ([a, b], run) => {
    if (typeof a === "number" && typeof b === "number") return holds(a - b)
    return typeof a === "string" && typeof b === "string" && holds(codePointOrder(a, b, run))
  }

function codePointOrder(a: string, b: string, run: Run): number {
  const shared = Math.min(a.length, b.length)
  let at = 0
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at++
  charge(run, at >> 6)
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

const ofText =
  (change: (text: string) => string): Helper["call"] =>
  ([value], run) => {
    const text = textOf(value, run)
    chargeText(run, text)
    return change(text)
  }

/** For transformations of single code points, which can be applied piece by piece. */
const ofCodePoints =
  (change: (text: string) => string): Helper["call"] =>
  ([value], run) => {
    const pieces: string[] = []
    let length = 0
    inPieces(run, textOf(value, run), (piece) => {
      const made = change(piece)
      length += made.length
      refuseOversized(run, length)
      pieces.push(made)
    })
    return pieces.join("")
  }

function capitalized(text: string): string {
  const [first = ""] = text
  return first.toUpperCase() + text.slice(first.length)
}

/**
 * A text longer than `count` code points is cut to that many and an ellipsis. Without a valid count the text is
 * unchanged.
 */
const truncate: Helper["call"] = ([value, count], run) => {
  const text = textOf(value, run)
  if (typeof count !== "number" || Number.isNaN(count)) return text
  const most = Math.max(0, Math.floor(count))
  if (text.length <= most) return text
  let end = 0
  let taken = 0
  for (; taken < most && end < text.length; taken++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  charge(run, taken >> 4)
  return end < text.length ? `${text.slice(0, end)}…` : text
}

const join: Helper["call"] = ([list, separator], run) =>
  Array.isArray(list) ? joined(list, isMissing(separator) ? ", " : textOf(separator, run), run) : textOf(list, run)

const formatDate: Helper["call"] = ([value, pattern, zone], run) => {
  const at = parseInstant(value)
  const usedPattern = typeof pattern === "string" ? pattern : "YYYY-MM-DD"
  const usedZone = isMissing(zone) ? "UTC" : zone
  if (at === undefined || typeof usedZone !== "string") return undefined
  // The steps charged for a zone that is used for the first time, which takes the longest.
  charge(run, 500)
  return formatInstant(at, usedPattern, usedZone, run)
}

const mostDecimals = 20

const formatNumber: Helper["call"] = ([value, decimals], run) => {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined
  charge(run, 10)
  if (isMissing(decimals)) return run.formats.number(value, undefined, run.locale)
  const usable = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 && decimals <= mostDecimals
  return usable ? run.formats.number(value, decimals, run.locale) : undefined
}

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** All helpers (contract A3.3). */
export const helpers: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ["eq", { call: equal }],
  ["ne", { call: not(equal) }],
  ["gt", { call: compare((order) => order > 0) }],
  ["gte", { call: compare((order) => order >= 0) }],
  ["lt", { call: compare((order) => order < 0) }],
  ["lte", { call: compare((order) => order <= 0) }],
  ["and", { call: (args) => args.every(truth) }],
  ["or", { call: (args) => args.some(truth) }],
  ["not", { call: ([value]) => !truth(value) }],
  ["upper", { call: ofCodePoints((text) => text.toUpperCase()) }],
  ["lower", { call: ofText((text) => text.toLowerCase()) }],
  ["capitalize", { call: ofText(capitalized) }],
  ["default", { call: ([value, otherwise]) => (isMissing(value) || value === "" ? otherwise : value) }],
  ["truncate", { call: truncate }],
  ["join", { call: join }],
  ["formatDate", { call: formatDate, named: new Map([["tz", 2]]) }],
  ["formatNumber", { call: formatNumber }],
  ["urlencode", { call: ofCodePoints((text) => encodeURIComponent(text.toWellFormed())) }],
])

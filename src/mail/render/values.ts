import { charge, type Run, refuseOversized } from "./run.ts"

/** The own property of a value, or undefined. Inherited properties and functions are never read (contract A3.1.5). */
export function own(value: unknown, key: string): unknown {
  if (value === undefined || value === null) return undefined
  const holder = value as Record<string, unknown>
  if (!Object.hasOwn(holder, key)) return undefined
  const found = holder[key]
  return typeof found === "function" ? undefined : found
}

export function walk(value: unknown, keys: readonly string[]): unknown {
  let found = value
  for (const key of keys) {
    if (found === undefined || found === null) return undefined
    found = own(found, key)
  }
  return found
}

/** False for missing values, `null`, `false`, `0`, `""` and the empty array (contract A3.1.3). */
export const truth = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value) && typeof value !== "function"

/**
 * The text of a value, before escaping (contract A3.1.4).
 * @throws {RenderFault} when it is longer than any text may be
 */
export function textOf(value: unknown, run: Run): string {
  switch (typeof value) {
    case "string":
      refuseOversized(run, value.length)
      return value
    case "number":
      return Number.isFinite(value) ? String(value) : ""
    case "boolean":
      return value ? "true" : "false"
    default:
      return Array.isArray(value) ? joined(value, ", ", run) : ""
  }
}

/** The elements of an array of primitives with a separator between them; empty for any other array. */
export function joined(list: readonly unknown[], separator: string, run: Run): string {
  charge(run, list.length >> 4)
  if (list.some((element) => typeof element === "object" && element !== null)) return ""
  let text = ""
  for (const [index, element] of list.entries()) {
    charge(run, 1)
    text += (index === 0 ? "" : separator) + textOf(element, run)
    refuseOversized(run, text.length)
  }
  return text
}

const special = /[&<>"']/
const everySpecial = /[&<>"']/g
const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
])

/** Escapes the five characters of contract A3.2 as entities. */
export const escapeHtml = (text: string): string =>
  special.test(text) ? text.replace(everySpecial, (found) => entities.get(found) ?? found) : text

export const verbatim = (text: string): string => text

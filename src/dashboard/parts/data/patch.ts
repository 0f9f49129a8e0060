import type { Data } from "../../api/types.ts"

/** The patch from `stored` to `wanted`: changed keys, and null for removed ones (contract A2.1). Null when equal. */
export function patchFor(stored: Data, wanted: Data): Data | null {
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !Object.hasOwn(stored, key) || !isSame(stored[key], value),
  )
  const gone = Object.keys(stored).filter((key) => !Object.hasOwn(wanted, key))
  if (changed.length + gone.length === 0) return null
  return Object.fromEntries([...changed, ...gone.map((key) => [key, null] as const)])
}

/** Data once a patch of `patchFor` is saved. */
export const withPatch = (data: Data, patch: Data): Data =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null))

/** Whether a key of the patch was also changed elsewhere since `base`, to another value. */
export const isContested = (base: Data, stored: Data, patch: Data): boolean =>
  Object.entries(patch).some(([key, wanted]) => {
    const now = valueIn(stored, key)
    return !isSame(valueIn(base, key), now) && !isSame(wanted, now)
  })

/** A missing value is null, as in a patch. */
const valueIn = (data: Data, key: string): unknown => (Object.hasOwn(data, key) ? data[key] : null)

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ofA, ofB] = [Object.entries(a), b as Readonly<Record<string, unknown>>]
  return (
    ofA.length === Object.keys(ofB).length &&
    ofA.every(([key, value]) => Object.hasOwn(ofB, key) && isSame(value, ofB[key]))
  )
}

import { byteLength } from "../../store/dialect.ts"
import { contactTable } from "./table.ts"

/**
 * How much data of contacts one unit of work reads and writes at most, if it is more than one contact: some 20 ms. The
 * usual contact has a few hundred bytes, so that their number bounds a unit sooner.
 */
const bytesPerUnit = 512 * 1_024

/** The size of a contact's data, which is not read for it. */
export const dataBytes = byteLength(contactTable.data)

/** Parts of a list for one unit of work each: at most `most` items, and fewer where their contacts have much data. */
export function* inUnits<T>(items: Iterable<T>, most: number, bytesOf: (item: T) => number): Generator<T[]> {
  let part: T[] = []
  let sum = 0
  for (const item of items) {
    const bytes = bytesOf(item)
    if (part.length === most || (part.length > 0 && sum + bytes > bytesPerUnit)) {
      yield part
      part = []
      sum = 0
    }
    part.push(item)
    sum += bytes
  }
  if (part.length > 0) yield part
}

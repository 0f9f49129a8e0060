import { groupsOf } from "../../kernel/groups.ts"
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
export const inUnits = <T>(items: Iterable<T>, most: number, bytesOf: (item: T) => number): Iterable<T[]> =>
  groupsOf(items, { most, bytes: bytesPerUnit }, bytesOf)

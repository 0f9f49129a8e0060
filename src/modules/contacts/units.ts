import { groupsOf } from "../../kernel/groups.ts"
import { byteLength } from "../../store/dialect.ts"
import { contactTable } from "./table.ts"

/**
 * The most bytes of contact data that a unit of work with several contacts reads and writes, in some 20 ms. Contacts
 * usually have a few hundred bytes, so that a unit reaches its number of contacts first.
 */
const bytesPerUnit = 512 * 1_024

/** The size of a contact's data, determined without reading the data. */
export const dataBytes = byteLength(contactTable.data)

/**
 * Splits a list into parts for one unit of work each: at most `most` items, fewer where their contacts have much data.
 */
export const inUnits = <T>(items: Iterable<T>, most: number, bytesOf: (item: T) => number): Iterable<T[]> =>
  groupsOf(items, { most, bytes: bytesPerUnit }, bytesOf)

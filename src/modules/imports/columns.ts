import { parseAddress } from "../../kernel/email-address.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { isReservedKey } from "../contacts/index.ts"
import { readCell } from "./cell.ts"
import type { Cells } from "./csv.ts"
import { FileFault } from "./fault.ts"

/** The columns of a file: the index of the address, and of each custom field with its key. */
export interface Columns {
  readonly email: number
  readonly fields: readonly { readonly at: number; readonly key: string }[]
}

export interface ImportRow {
  /** The header is row 1 (contract A5.16.2). */
  readonly row: number
  /** As read; "" when there is none. */
  readonly email: string
  /** In canonical form; undefined when `email` is not a valid address. */
  readonly address: string | undefined
  readonly data: JsonObject
}

const maxNameLength = 255
/** Ten times as many as a project may have fields. A row becomes an object, which is slow with hundreds of thousands. */
const maxColumns = 10_000
/** A file with such line breaks would be one long header. */
const loneReturn = /\r(?!\n)/
const dropped = ["subscribed", "createdAt", "updatedAt"]

/**
 * Throws a `FileFault` without an email column (contract A5.16.1 and 3), when the lines end with CR alone, or with too many
 * columns, which a whole file of such lines has too.
 */
export function columnsOf(header: Cells): Columns {
  if (header.some((cell) => loneReturn.test(cell.trim())))
    throw new FileFault("The lines of the file end with CR alone. Save it with CRLF or LF.")
  if (header.length > maxColumns) throw new FileFault(`The file has more than ${maxColumns} columns.`)
  const indexes = new Map<string, number>()
  for (const [at, cell] of header.entries()) {
    const name = nameIn(cell)
    if (name !== "") indexes.set(name, at)
  }
  const email = indexes.get("email")
  if (email === undefined) throw new FileFault("The file has no email column.")
  const fields = [...indexes]
    .map(([key, at]) => ({ at, key }))
    .filter(({ key }) => !isReservedKey(key) && !dropped.includes(key))
    .sort((one, other) => one.at - other.at)
  const long = fields.find(({ key }) => key.length > maxNameLength && [...key].length > maxNameLength)
  if (long) throw new FileFault(`The name of column ${long.at + 1} is longer than ${maxNameLength} characters.`)
  return { email, fields }
}

/** The email column is found in any case; other names are case-sensitive. */
function nameIn(cell: string): string {
  const name = cell.trim()
  return name.toLowerCase() === "email" ? "email" : name
}

/** Reads a record. Missing cells are empty; surplus and empty ones are ignored (contract A5.16). */
export function readRow({ email, fields }: Columns, cells: Cells, row: number): ImportRow {
  const given = cells[email]?.trim() ?? ""
  const data: JsonObject = {}
  for (const { at, key } of fields) {
    if (at >= cells.length) break
    const text = cells[at]?.trim() ?? ""
    if (text !== "") data[key] = readCell(text)
  }
  return { row, email: given, address: parseAddress(given), data }
}

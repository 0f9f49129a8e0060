import { keyFault } from "../../../parts/data/draft.ts"
import { recordsOf } from "./csv.ts"

/** A column of the file and the field that it is to fill. */
export interface Column {
  /** As the file has it. */
  readonly name: string
  /** As it is imported; the reader may change it. */
  readonly field: string
  readonly isTaken: boolean
}

/** What becomes of a column (contract A5.16). */
export type Becomes = "email" | "field" | "nothing"

/** A file that can be read. */
export interface ReadFile {
  readonly file: File
  readonly separator: string
  /** The names of the columns. */
  readonly head: readonly string[]
  /** A cell for every column. */
  readonly rows: readonly (readonly string[])[]
}

export const largestFile = 5 * 1_048_576

/** The names of columns that the import drops. */
const dropped = ["id", "subscribed", "createdAt", "updatedAt"]
const separators = [",", ";", "\t"]

/** Reads a CSV file; a text says why it cannot be read. */
export async function readFile(file: File): Promise<ReadFile | string> {
  const fault = faultOfFile(file)
  if (fault) return fault
  const text = readUtf8(await file.arrayBuffer())
  if (text === null) return "The file is not UTF-8. Save it as CSV UTF-8."
  const separator = separatorOf(text)
  const records = recordsOf(text, separator)
  if (!records) return "A quote is opened in the file that is never closed."
  const [head = [], ...rows] = records
  return { file, separator, head, rows: rows.map((cells) => head.map((_, at) => cells[at] ?? "")) }
}

/** UTF-16 without its mark is UTF-8 with a zero in every letter. */
function readUtf8(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}

/** The one that finds a column of addresses, or else the one that finds most columns. */
function separatorOf(text: string): string {
  const heads = separators.map((separator) => ({ separator, head: recordsOf(text, separator, 1)?.[0] ?? [] }))
  const found = heads.find(({ head }) => head.some(isEmail))
  return (found ?? heads.toSorted((one, other) => other.head.length - one.head.length)[0])?.separator ?? ","
}

function faultOfFile({ name, size }: File): string | null {
  if (!/\.(csv|tsv)$/i.test(name)) return "This is not a .csv file."
  if (size === 0) return "The file is empty."
  return size > largestFile ? "The file is larger than 5 MB: split it into several." : null
}

/** The columns as the file has them. */
export const columnsOf = (head: readonly string[]): readonly Column[] =>
  head.map((name) => ({ name, field: name, isTaken: true }))

/** The last of several columns of one name wins; the address is found in any case. */
export function becomesOf(columns: readonly Column[], at: number): Becomes {
  const column = columns[at]
  if (!column?.isTaken) return "nothing"
  const last = columns.findLastIndex(({ field, isTaken }) => isTaken && inAnyCase(field) === inAnyCase(column.field))
  if (last !== at) return "nothing"
  if (isEmail(column.field)) return "email"
  return !dropped.includes(column.field) && keyFault(column.field, [], true) === null ? "field" : "nothing"
}

export const isEmail = (name: string): boolean => /^email$/i.test(name)
const inAnyCase = (name: string): string => (isEmail(name) ? "email" : name)

/** Why the columns cannot be imported as they are. */
export const faultOfColumns = (columns: readonly Column[]): string | null =>
  columns.some((_, at) => becomesOf(columns, at) === "email")
    ? null
    : "The first line has no column named “email”. Rename the column that has the addresses."

import { keyFault } from "../../../parts/data/draft.ts"
import { recordsOf } from "./csv.ts"

/** A column of the file and its target field. */
export interface Column {
  /** As in the file. */
  readonly name: string
  /** As it is imported; the reader may change it. */
  readonly field: string
  readonly isTaken: boolean
}

/** The target of a column (contract A5.16). */
export type ColumnTarget = "email" | "field" | "nothing"

/** A file that can be read. */
export interface ReadFile {
  readonly file: File
  /** Whether the server takes the lines as they are, and counts the same rows (contract A5.15.3, A5.16). */
  readonly isPlain: boolean
  /** The names of the columns. */
  readonly head: readonly string[]
  /** A cell for every column. */
  readonly rows: readonly (readonly string[])[]
}

const largestFile = 5 * 1_048_576

/** The names of columns that the import drops. */
const dropped = ["id", "subscribed", "createdAt", "updatedAt"]
const separators = [",", ";", "\t"]

/**
 * Reads a CSV file, also one whose lines end with CR alone, or whose first line tells Excel the separator; a string is the
 * reason why it cannot be read.
 */
export async function readFile(file: File): Promise<ReadFile | string> {
  const fault = faultOfFile(file)
  if (fault) return fault
  const written = readUtf8(await file.arrayBuffer())
  if (written === null) return "The file is not UTF-8. Save it as CSV UTF-8."
  const endsWithCr = /^[^\r\n]*\r(?!\n)/.test(written)
  const lines = endsWithCr ? written.replace(/\r\n?/g, "\n") : written
  const [firstLine = "", told] = /^"?sep=(.)"?\r?\n/i.exec(lines) ?? []
  const text = lines.slice(firstLine.length)
  const separator = told ?? separatorOf(text)
  const records = recordsOf(text, separator)
  if (typeof records === "number")
    return `A quote is opened in line ${records.toLocaleString("en")} that is never closed.`
  const [head = [], ...rows] = records
  // Emptied rows are saved as lines of commas; without this, those at the end would be reported as rows without an
  // address.
  const endsEmpty = /^[\s,"]*$/.test(text.slice(text.trimEnd().lastIndexOf("\n") + 1))
  const isPlain = separator === "," && !endsWithCr && !told && !endsEmpty
  return { file, isPlain, head, rows: rows.map((cells) => head.map((_, at) => cells[at] ?? "")) }
}

/** UTF-16 without a byte order mark is valid UTF-8 with a NUL in every letter. */
function readUtf8(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}

/** The separator that gives a column of addresses, or else the most columns. */
function separatorOf(text: string): string {
  const heads = separators.map((separator) => {
    const records = recordsOf(text, separator, 1)
    return { separator, head: (typeof records === "object" && records[0]) || [] }
  })
  const found = heads.find(({ head }) => head.some(isAddress))
  return (found ?? heads.toSorted((one, other) => other.head.length - one.head.length)[0])?.separator ?? ","
}

function faultOfFile({ name, size }: File): string | null {
  if (!/\.(csv|tsv)$/i.test(name)) return "This is not a .csv file."
  if (size === 0) return "The file is empty."
  return size > largestFile ? "The file is larger than 5 MB: split it into several." : null
}

/** The columns as in the file; where none is named email, the one that holds the addresses is. */
export function columnsOf(file: Pick<ReadFile, "head" | "rows">): readonly Column[] {
  const address = addressColumn(file)
  return file.head.map((name, at) => ({ name, field: at === address ? "email" : name, isTaken: true }))
}

/** The only column with a usual name for addresses, or else the only one that contains addresses. */
function addressColumn({ head, rows }: Pick<ReadFile, "head" | "rows">): number | undefined {
  if (head.some(isEmail)) return undefined
  const places = [...head.keys()]
  const named = places.filter((at) => isAddress(head[at] ?? ""))
  if (named.length > 0) return onlyOf(named)
  const first = rows.slice(0, lookedAt)
  return onlyOf(places.filter((at) => first.length > 0 && first.every((cells) => addressForm.test(cells[at] ?? ""))))
}

const onlyOf = (places: readonly number[]): number | undefined => (places.length === 1 ? places[0] : undefined)
/** The number of rows by which the content of a column is determined. */
const lookedAt = 20
const addressForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function columnTargetOf(columns: readonly Column[], at: number): ColumnTarget {
  const column = columns[at]
  if (!column?.isTaken || whyLeftOut(columns, at) !== null) return "nothing"
  return isEmail(column.field) ? "email" : "field"
}

/**
 * Why a ticked column is left out all the same; null when it is imported. The last of several columns with the same
 * name wins; the case of the email column is ignored.
 */
export function whyLeftOut(columns: readonly Column[], at: number): string | null {
  const column = columns[at]
  if (!column?.isTaken) return null
  const name = inAnyCase(column.field)
  if (name === "") return "it has no name"
  if (columns.findLastIndex(({ field, isTaken }) => isTaken && inAnyCase(field) === name) !== at)
    return "another column has the same name"
  if (isEmail(name)) return null
  if (dropped.includes(name)) return "an import never sets it"
  return keyFault(name, [], true) === null ? null : "its name is reserved or too long"
}

const isEmail = (name: string): boolean => /^email$/i.test(name)
/** Whether exports give this name to the column of the addresses. */
const isAddress = (name: string): boolean => /^(e?mail|emailaddress)$/i.test(name.replace(/[\s_-]/g, ""))
const inAnyCase = (name: string): string => (isEmail(name) ? "email" : name)

/** Why the columns cannot be imported. */
export const faultOfColumns = (columns: readonly Column[]): string | null =>
  columns.some((_, at) => columnTargetOf(columns, at) === "email")
    ? null
    : "No ticked column is named “email”. Type email above the column that has the addresses."

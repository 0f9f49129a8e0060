import { keyFault } from "../data/draft.ts"
import { firstRecords } from "./csv-head.ts"

/** What becomes of a column of the file (A5.16). */
export interface Column {
  readonly name: string
  readonly becomes: "email" | "field" | "nothing"
}

export interface FilePreview {
  readonly columns: readonly Column[]
  /** The first rows, a cell for every column. */
  readonly rows: readonly (readonly string[])[]
  /** Why the file cannot be imported as it is. */
  readonly fault: string | null
}

const dropped = ["subscribed", "createdAt", "updatedAt"]
const previewBytes = 64 * 1024
const previewRows = 3
export const largestFile = 5 * 1_048_576

/** Looks at the beginning of a CSV file the way the import will. */
export async function previewFile(file: File): Promise<FilePreview> {
  const fault = faultOfFile(file)
  if (fault) return { columns: [], rows: [], fault }
  const text = (await file.slice(0, previewBytes).text()).replace(/^\uFEFF/, "")
  const [head = [], ...rows] = firstRecords(text, previewRows + 1)
  const columns = head.map((name, index) => ({ name, becomes: becomes(name, index, head) }))
  const hasEmail = columns.some((column) => column.becomes === "email")
  return {
    columns,
    rows: rows.map((cells) => head.map((_, index) => cells[index] ?? "")),
    fault: hasEmail ? null : "The first line has no column named “email”.",
  }
}

function faultOfFile({ name, size }: File): string | null {
  if (!/\.csv$/i.test(name)) return "This is not a .csv file."
  if (size === 0) return "The file is empty."
  return size > largestFile ? "The file is larger than 5 MB: split it into several." : null
}

/** The last of several columns of one name wins; the address is found in any case. */
function becomes(name: string, index: number, all: readonly string[]): Column["becomes"] {
  const wins = all.map(inAnyCase).lastIndexOf(inAnyCase(name)) === index
  if (!wins) return "nothing"
  if (inAnyCase(name) === "email") return "email"
  return !dropped.includes(name) && keyFault(name, [], true) === null ? "field" : "nothing"
}

const inAnyCase = (name: string): string => (/^email$/i.test(name) ? "email" : name)

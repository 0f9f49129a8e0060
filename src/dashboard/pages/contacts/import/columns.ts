import { keyFault } from "../../../parts/data/draft.ts"
import { firstRecords } from "./csv-head.ts"

/** What becomes of a column of the file (contract A5.16). */
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
const previewRows = 3
export const largestFile = 5 * 1_048_576

/** Reads the start of a CSV file as the import will. */
export async function previewFile(file: File): Promise<FilePreview> {
  const fault = faultOfFile(file)
  if (fault) return { columns: [], rows: [], fault }
  const text = readUtf8(await file.arrayBuffer())
  if (text === null) return { columns: [], rows: [], fault: "The file is not UTF-8. Save it as CSV UTF-8." }
  const [head = [], ...rows] = firstRecords(text, previewRows + 1)
  const columns = head.map((name, index) => ({ name, becomes: becomes(name, index, head) }))
  return {
    columns,
    rows: rows.map((cells) => head.map((_, index) => cells[index] ?? "")),
    fault: hasEmail(head) ? null : faultOfHead(text),
  }
}

/**
 * The whole file, for the import reads it strictly too; UTF-16 without its mark is UTF-8 with a zero in every letter.
 */
function readUtf8(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}

const hasEmail = (head: readonly string[]): boolean => head.some((name) => inAnyCase(name) === "email")

const separators = [
  [";", "semicolons"],
  ["\t", "tabs"],
] as const

function faultOfHead(text: string): string {
  const found = separators.find(([separator]) => hasEmail(firstRecords(text, 1, separator)[0] ?? []))
  return found
    ? `The columns are separated by ${found[1]}. Save the file with commas.`
    : "The first line has no column named “email”."
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

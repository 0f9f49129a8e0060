import { utcOf } from "../../../parts/condition/model/values.ts"
import { type Column, columnTargetOf, type ReadFile } from "./columns.ts"

/** The only forms that conditions on custom fields read as times (contract B2.4.15). */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/

/** The columns that hold days or times, not all of them in a form that conditions read, by their indexes. */
export function timeColumns({ rows }: Pick<ReadFile, "rows">, columns: readonly Column[]): readonly number[] {
  return [...columns.keys()].filter((at) => {
    if (columnTargetOf(columns, at) !== "field") return false
    const cells = rows.map((row) => row[at] ?? "").filter((cell) => cell.trim() !== "")
    return cells.some((cell) => !timeForm.test(cell)) && cells.every((cell) => timeOf(cell) !== null)
  })
}

/**
 * A day, which begins at midnight, or a time as conditions read it; UTC where it names no zone. Spaces may stand before
 * the time of day and the zone, behind which listmonk writes its name too (`+0200 CEST`), and of which PostgreSQL
 * writes the hours alone (`+02`). Excel saves days as its country writes them: `20.7.2026` and `2026/7/20` are read, but
 * not `7/20/2026`, which may be a day before a month elsewhere. Null for anything else.
 */
export function timeOf(cell: string): string | null {
  const text = cell
    .trim()
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\S)/, "$3/$2/$1")
    .replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\S)/, (_, ...parts) => parts.slice(0, 3).map(twoDigits).join("-"))
    .replace(/^(\S{10}) (?=\d:)/, "$1 0")
    .replace(/^(\S{10}) (?=\d)/, "$1T")
    .replace(/( [+-]\d{4}) [A-Z0-9+-]+$/, "$1")
    .replace(/ ?(?:UTC|Z)$/i, "Z")
    .replace(/ (?=[+-])/, "")
    .replace(/:\d{2}(\.\d+)?[+-]\d{2}$/, "$&:00")
  return utcOf(text)?.replace(/\.\d{3}Z$/, "Z") ?? null
}

const twoDigits = (part: string): string => part.padStart(2, "0")

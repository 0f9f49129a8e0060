import { becomesOf, type Column, type ReadFile } from "./columns.ts"

const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?$/i
/** The only forms that conditions on custom fields read as times (contract B2.4.15). */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/

/** The columns that hold days or times, not all of them in a form that conditions read, by their indexes. */
export function timeColumns({ rows }: Pick<ReadFile, "rows">, columns: readonly Column[]): readonly number[] {
  return [...columns.keys()].filter((at) => {
    if (becomesOf(columns, at) !== "field") return false
    const cells = rows.map((row) => row[at] ?? "").filter((cell) => cell.trim() !== "")
    return cells.some((cell) => !timeForm.test(cell)) && cells.every((cell) => timeOf(cell) !== null)
  })
}

/** A day, which begins at midnight, or a time as conditions read it; UTC where it names no zone. Null for anything else. */
export function timeOf(cell: string): string | null {
  const [, day = "", minute = "00:00", second = "00", zone = "Z"] = dateForm.exec(cell.trim()) ?? []
  const at = new Date(`${day}T${minute}:${second}${offsetOf(zone)}`)
  // Date takes 30 February for 2 March.
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
  return day === "" || Number.isNaN(at.getTime()) || !isReal ? null : at.toISOString().replace(/\.000Z$/, "Z")
}

function offsetOf(zone: string): string {
  if (/^(Z|UTC)$/i.test(zone)) return "Z"
  return zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`
}

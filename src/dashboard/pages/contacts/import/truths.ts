import { type Column, columnTargetOf, type ReadFile } from "./columns.ts"

/** `true` and `false` in the languages of Excel, which translates them when it saves a file. */
const pairs = [
  ["WAHR", "FALSCH"],
  ["VRAI", "FAUX"],
  ["VERO", "FALSO"],
  ["VERDADERO", "FALSO"],
  ["VERDADEIRO", "FALSO"],
  ["ADEVĂRAT", "FALS"],
  ["CERT", "FALS"],
  ["WAAR", "ONWAAR"],
  ["SANT", "FALSKT"],
  ["SAND", "FALSK"],
  ["SANN", "USANN"],
  ["TOSI", "EPÄTOSI"],
  ["PRAWDA", "FAŁSZ"],
  ["PRAVDA", "NEPRAVDA"],
  ["IGAZ", "HAMIS"],
  ["DOĞRU", "YANLIŞ"],
  ["ИСТИНА", "ЛОЖЬ"],
  ["ΑΛΗΘΗΣ", "ΨΕΥΔΗΣ"],
] as const

/** `false` in these languages. */
export const falseWords: readonly string[] = pairs.map(([, word]) => word)

/** The columns of fields that hold nothing but such a pair in capitals, by their indexes. */
export function truthColumns({ rows }: Pick<ReadFile, "rows">, columns: readonly Column[]): readonly number[] {
  return [...columns.keys()].filter((at) => {
    if (columnTargetOf(columns, at) !== "field") return false
    const cells = new Set(rows.map((row) => (row[at] ?? "").trim()).filter((cell) => cell !== ""))
    return cells.size > 0 && pairs.some((pair: readonly string[]) => [...cells].every((cell) => pair.includes(cell)))
  })
}

/** A cell of such a column as the server reads it. */
export function truthOf(cell: string): string {
  const text = cell.trim()
  const place = pairs.map((pair: readonly string[]) => pair.indexOf(text)).find((found) => found >= 0)
  return place === undefined ? cell : String(place === 0)
}

import { readFileSync, writeFileSync } from "node:fs"
import { type Figure, printRows } from "./table.ts"

export const saveResults = (path: string, figures: readonly Figure[]): void =>
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`)

/** Prints two saved results beside each other, by the names of their figures. */
export function compareResults(before: string, after: string): void {
  const [old, now] = [before, after].map((path) => JSON.parse(readFileSync(path, "utf8")) as Figure[]) as [
    Figure[],
    Figure[],
  ]
  const oldOf = new Map(old.map((figure) => [figure.what, figure]))
  printRows([
    ["figure", "before", "ratio", "after", "ratio", "target", ""],
    ...now.map(({ what, value, ratio, target, met }) => {
      const one = oldOf.get(what)
      return [what, one?.value ?? "-", ratioText(one?.ratio), value, ratioText(ratio), target, met ? "met" : "SHORT"]
    }),
  ])
}

const ratioText = (ratio: number | null | undefined): string => ratio?.toFixed(2) ?? ""

/** The candidate that was probably meant by `given`, or undefined when none is close enough. */
export function nearest(given: string, candidates: Iterable<string>): string | undefined {
  const allowed = Math.max(1, Math.floor(given.length / 3))
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(given.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        cost(last, column) + 1,
        cost(current, column - 1) + 1,
        cost(last, column - 1) + (same ? 0 : 1),
        swapped ? cost(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return cost(last, to.length)
}

const cost = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

import { type Condition, filtersOf } from "../../conditions/index.ts"
import type { Trees } from "./evaluate/trees.ts"
import type { Rule } from "./store.ts"

/** A condition in the graph: its own filters, and the segments that they name, each as often as it is named. */
interface GraphNode {
  readonly filterCount: number
  readonly names: readonly string[]
}

/** The segments of a project, with an edge from each to every segment that its condition names. */
export interface SegmentGraph {
  has(id: string): boolean
  /** Whether a path of any length leads from one segment to another; from each segment to itself one does. */
  reaches(from: string, to: string): boolean
  /** All that a path leads from to this one, and itself. */
  leadingTo(id: string): readonly string[]
  /**
   * The most filters that a condition has, the conditions of the segments it names counted in: of the given node, and of
   * all segments that reach `self`, where the node replaces what is stored.
   */
  maxFilters(self: string | undefined, node: GraphNode): number
}

export function createSegmentGraph(rules: readonly Rule[], trees: Trees): SegmentGraph {
  const nodes = new Map(
    rules.map(({ id, condition }) => [id, condition === null ? empty : nodeOf(trees(condition).condition)]),
  )

  function reaches(from: string, to: string, visited = new Set<string>()): boolean {
    if (from === to) return true
    if (visited.has(from)) return false
    visited.add(from)
    return (nodes.get(from)?.names ?? []).some((id) => reaches(id, to, visited))
  }

  const leadingTo = (id: string): string[] => [...nodes.keys()].filter((from) => reaches(from, id))

  return {
    has: (id) => nodes.has(id),
    reaches: (from, to) => reaches(from, to),
    leadingTo,
    maxFilters(self, node) {
      const totals = new Map<string, number>()
      const total = ({ filterCount, names }: GraphNode): number =>
        names.reduce((sum, id) => sum + totalOf(id), filterCount)
      function totalOf(id: string): number {
        const known = totals.get(id)
        if (known !== undefined) return known
        totals.set(id, 0)
        const sum = total(id === self ? node : (nodes.get(id) ?? empty))
        totals.set(id, sum)
        return sum
      }
      const dependents = self === undefined ? [] : leadingTo(self)
      return Math.max(total(node), ...dependents.map(totalOf))
    },
  }
}

export function nodeOf(condition: Condition): GraphNode {
  const filters = [...filtersOf(condition)]
  return { filterCount: filters.length, names: filters.flatMap((one) => (one.of === "segment" ? one.id : [])) }
}

const empty: GraphNode = { filterCount: 0, names: [] }

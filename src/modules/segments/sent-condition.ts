import { filtersOf, parseCondition, type SegmentReference } from "../../conditions/index.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import type { ReadCondition } from "./audience-types.ts"
import type { Trees } from "./evaluate/trees.ts"
import { listAllRules, type Rule } from "./store.ts"

/** Filters that a condition may have with all those it brings in by naming segments; far below what a database takes. */
const mostFilters = 500

/**
 * Reads a condition as it was sent: what is stored of it, or all that is wrong with it, the segments it names included
 * (contract B2.5). `self` is the segment that it is for, when there is one already.
 */
export async function readSent(
  db: Db,
  projectId: string,
  sent: unknown,
  path: string,
  trees: Trees,
  self?: string,
): Promise<ReadCondition> {
  const parsed = parseCondition(sent, path)
  const faults: Fault[] = "faults" in parsed ? [...parsed.faults] : []
  if (parsed.segments.length > 0 || self !== undefined) {
    const ways = waysBetween(await listAllRules(db, projectId), trees)
    faults.push(...parsed.segments.flatMap((reference) => referenceFault(reference, ways, self) ?? []))
    if ("tree" in parsed && faults.length === 0) {
      const own = { filters: countOf(filtersOf(parsed.tree)), names: parsed.segments.map(({ id }) => id) }
      if (ways.heaviest(self, own) > mostFilters)
        faults.push(fault(path, "too_big", `${path} has too many filters, those of the segments it names among them.`))
    }
  }
  return "stored" in parsed && faults.length === 0 ? { condition: parsed.stored } : { faults }
}

function referenceFault({ id, path }: SegmentReference, ways: Ways, self: string | undefined): Fault | undefined {
  if (!ways.has(id)) return fault(path, "custom", `${path} names a segment that does not exist.`)
  if (self === undefined || !ways.leadTo(id, self)) return undefined
  return fault(path, "custom", `${path} names a segment whose members depend on this one.`)
}

/** What a condition has of its own, and the segments that it names, each as often as it does. */
interface Weighed {
  readonly filters: number
  readonly names: readonly string[]
}

interface Ways {
  has(id: string): boolean
  /** Whether a segment is another one, or names it through any number of conditions. */
  leadTo(from: string, to: string): boolean
  /** The most filters that a condition comes to, of the given one and of all segments that name its own. */
  heaviest(self: string | undefined, own: Weighed): number
}

/** How the segments of a project name each other. */
function waysBetween(rules: readonly Rule[], trees: Trees): Ways {
  const known = new Map(rules.map((rule) => [rule.id, weighed(rule, trees)]))

  function leadTo(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return (known.get(from)?.names ?? []).some((id) => leadTo(id, to, seen))
  }

  return {
    has: (id) => known.has(id),
    leadTo: (from, to) => leadTo(from, to),
    heaviest(self, own) {
      const weights = new Map<string, number>()
      const weigh = ({ filters, names }: Weighed): number => names.reduce((sum, id) => sum + weightOf(id), filters)
      function weightOf(id: string): number {
        const before = weights.get(id)
        if (before !== undefined) return before
        weights.set(id, 0)
        const weight = weigh(id === self ? own : (known.get(id) ?? { filters: 0, names: [] }))
        weights.set(id, weight)
        return weight
      }
      const naming = self === undefined ? [] : [...known.keys()].filter((id) => leadTo(id, self))
      return Math.max(weigh(own), ...naming.map(weightOf))
    },
  }
}

function weighed({ condition }: Rule, trees: Trees): Weighed {
  if (condition === null) return { filters: 0, names: [] }
  const filters = [...filtersOf(trees(condition).condition)]
  return { filters: filters.length, names: filters.flatMap((one) => (one.of === "segment" ? one.id : [])) }
}

function countOf(items: Iterable<unknown>): number {
  let count = 0
  for (const _ of items) count++
  return count
}

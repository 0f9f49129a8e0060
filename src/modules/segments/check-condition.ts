import { parseCondition, type SegmentReference } from "../../conditions/index.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import type { CheckedCondition } from "./audience.ts"
import type { Trees } from "./evaluate/trees.ts"
import { createSegmentGraph, nodeOf, type SegmentGraph } from "./segment-graph.ts"
import { listAllRules } from "./store.ts"

/** Filters of a condition and of all segments it names, together; far below what a database accepts in one query. */
const maxFilters = 500
/** A condition as JSON: it is listed, kept in memory, and sent to the database each time that it is evaluated. */
const maxBytes = 262_144

/**
 * Checks a condition as it was sent: resolves to its stored form, or to all its faults, those of the segments it names
 * included (contract B2.5). `self` is the id of the segment that the condition is for, if that exists.
 */
export async function checkCondition(
  db: Db,
  projectId: string,
  sent: unknown,
  path: string,
  trees: Trees,
  self?: string,
): Promise<CheckedCondition> {
  const parsed = parseCondition(sent, path)
  const faults: Fault[] = "faults" in parsed ? [...parsed.faults] : []
  if ("stored" in parsed && Buffer.byteLength(JSON.stringify(parsed.stored)) > maxBytes)
    faults.push(fault(path, "too_big", `${path} must have at most ${maxBytes} bytes.`))
  if (parsed.segments.length > 0 || self !== undefined) {
    const graph = createSegmentGraph(await listAllRules(db, projectId), trees)
    faults.push(...parsed.segments.flatMap((reference) => referenceFault(reference, graph, self) ?? []))
    if ("tree" in parsed && faults.length === 0 && graph.maxFilters(self, nodeOf(parsed.tree)) > maxFilters)
      faults.push(fault(path, "too_big", `${path} has too many filters, those of the segments it names among them.`))
  }
  return "stored" in parsed && faults.length === 0 ? { condition: parsed.stored } : { faults }
}

function referenceFault({ id, path }: SegmentReference, graph: SegmentGraph, self: string | undefined) {
  if (!graph.has(id)) return fault(path, "custom", `${path} names a segment that does not exist.`)
  if (self === undefined || !graph.reaches(id, self)) return undefined
  return fault(path, "custom", `${path} names a segment whose members depend on this one.`)
}

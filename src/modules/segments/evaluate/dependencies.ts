import type { Db } from "../../../store/database.ts"
import { isRecorded } from "../rules.ts"
import { listRules, type Rule } from "../store.ts"
import type { Tree, Trees } from "./trees.ts"

/** The segments that conditions name, directly or through others, by id. A named one that is missing is deleted. */
export type Dependencies = ReadonlyMap<string, Rule>

/**
 * The segments needed to evaluate some conditions: those they name, and, where such a segment has no recorded
 * membership, those its own condition names.
 */
export async function dependenciesOf(
  db: Db,
  projectId: string,
  roots: Iterable<Tree>,
  trees: Trees,
): Promise<Dependencies> {
  const known = new Map<string, Rule>()
  let wanted = new Set<string>()
  for (const { needs } of roots) for (const id of needs.segments) wanted.add(id)
  while (wanted.size > 0) {
    const found = await listRules(db, projectId, wanted)
    wanted = new Set()
    for (const rule of found) known.set(rule.id, rule)
    for (const rule of found)
      if (!isRecorded(rule) && rule.condition !== null)
        for (const id of trees(rule.condition).needs.segments) if (!known.has(id)) wanted.add(id)
  }
  return known
}

import type { Db } from "../../../store/database.ts"
import { isRecorded } from "../rules.ts"
import { listRules, type Rule } from "../store.ts"
import type { Tree, Trees } from "./trees.ts"

/** Segments that conditions name, directly or through others, by id. One that is missing is deleted. */
export type Behind = ReadonlyMap<string, Rule>

/**
 * The segments that must be known to evaluate some conditions: those they name, and those that are named by the
 * conditions of such as have no recorded membership.
 */
export async function behindOf(db: Db, projectId: string, starts: Iterable<Tree>, trees: Trees): Promise<Behind> {
  const known = new Map<string, Rule>()
  let wanted = new Set<string>()
  for (const { needs } of starts) for (const id of needs.segments) wanted.add(id)
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

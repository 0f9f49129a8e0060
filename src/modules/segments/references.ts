import type { ReferenceSource } from "../../references.ts"
import { namesTarget } from "./condition-fields.ts"
import { listSegments } from "./store.ts"

/**
 * The segments whose condition names a field, an event (contract B4.2.7) or another segment. None of them prevents a
 * deletion: the condition stays, and what it names then matches no contact (contract A5.9, B3.2.5, B4.2.8).
 */
export const segmentReferences: ReferenceSource = async (db, projectId, target) => {
  if (target.kind === "template" || target.kind === "domain") return []
  const segments = await listSegments(db, projectId)
  return segments
    .filter(({ condition }) => condition !== null && namesTarget(condition, target))
    .map(({ id, name }) => ({ by: "segment", id, name, blocks: false }) as const)
}

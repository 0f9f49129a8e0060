import { eq, inArray, sql } from "drizzle-orm"
import type { Unit } from "../../../store/writer.ts"
import type { Listeners } from "../engine/listeners.ts"
import { countVersion } from "../store.ts"
import { stepTable, type Transition, transitionTable, type Workflow } from "../table.ts"
import type { GraphDiff } from "./diff.ts"

/** Rows of one statement. */
const rowsAtOnce = 1_000

function* slicesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce)
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** Makes the differences the live graph, and counts its version. */
export async function saveDiff(
  unit: Unit,
  listeners: Pick<Listeners, "add">,
  { id: workflowId, projectId }: Pick<Workflow, "id" | "projectId">,
  { added, changed, removed, addedTransitions, removedTransitions }: GraphDiff,
): Promise<void> {
  const { db, now } = unit
  const times = { createdAt: now, updatedAt: now }
  // Before new ones, which may use their exits.
  for (const slice of slicesOf(idsOf(removedTransitions)))
    await db.delete(transitionTable).where(inArray(transitionTable.id, slice))
  for (const slice of slicesOf(idsOf(removed))) await db.delete(stepTable).where(inArray(stepTable.id, slice))
  const written = [...added, ...changed.map(({ to }) => to)]
  for (const slice of slicesOf(written))
    await db
      .insert(stepTable)
      .values(slice.map((step) => ({ ...step, ...times, workflowId })))
      .onConflictDoUpdate({
        target: stepTable.id,
        set: {
          name: sql`excluded.name`,
          position: sql`excluded.position`,
          config: sql`excluded.config`,
          templateId: sql`excluded.template_id`,
          updatedAt: now,
        },
        setWhere: eq(stepTable.workflowId, workflowId),
      })
  const rows = addedTransitions.map((one): Transition => ({ ...one, ...times, workflowId, automatic: false }))
  for (const slice of slicesOf(rows)) await db.insert(transitionTable).values(slice)
  for (const { type, config } of written)
    if (type === "WAIT_FOR_EVENT") listeners.add(projectId, String(config.eventName))
  await countVersion(unit, workflowId)
}

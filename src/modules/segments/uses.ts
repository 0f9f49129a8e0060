import type { Db } from "../../store/database.ts"
import { namesEvent, namesField } from "./condition-fields.ts"
import { listSegments } from "./store.ts"
import type { Segment } from "./table.ts"

/** A segment, as those see it that only want to know what names them. */
export type SegmentUse = Pick<Segment, "id" | "name">

async function listNaming(
  db: Db,
  projectId: string,
  names: (condition: NonNullable<Segment["condition"]>) => boolean,
): Promise<SegmentUse[]> {
  const all = await listSegments(db, projectId)
  return all.filter(({ condition }) => condition && names(condition)).map(({ id, name }) => ({ id, name }))
}

/** The segments whose condition names a field, or something inside it: `subscribed`, `data.plan`. */
export const segmentsNamingField = (db: Db, projectId: string, field: string): Promise<SegmentUse[]> =>
  listNaming(db, projectId, (condition) => namesField(condition, field))

/** The segments whose condition is about an event (contract B4.2.7). */
export const segmentsNamingEvent = (db: Db, projectId: string, name: string): Promise<SegmentUse[]> =>
  listNaming(db, projectId, (condition) => namesEvent(condition, name))

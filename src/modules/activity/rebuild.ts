import { and, eq, gte, lt, or } from "drizzle-orm"
import { day, hour } from "../../kernel/clock.ts"
import type { Unit } from "../../store/writer.ts"
import { figures, sources } from "./sources.ts"
import { activityTallyTable } from "./table.ts"

const { projectId: ofProject, hour: ofHour } = activityTallyTable
const tallied = [...sources, ...Object.values(figures)].filter((one) => one.tallied)

/** Deletes the counts of a project before one day and from another on. */
export async function deleteOutside(unit: Unit, projectId: string, days: { from: number; to: number }): Promise<void> {
  const [from, to] = [(days.from * day) / hour, (days.to * day) / hour]
  await unit.db.delete(activityTallyTable).where(and(eq(ofProject, projectId), or(lt(ofHour, from), gte(ofHour, to))))
}

/** Counts one day of a project again and replaces its counts. */
export async function recountDay(unit: Unit, projectId: string, at: number): Promise<void> {
  const [from, to] = [at * day, (at + 1) * day]
  await unit.db
    .delete(activityTallyTable)
    .where(and(eq(ofProject, projectId), gte(ofHour, from / hour), lt(ofHour, to / hour)))
  for (const one of tallied) {
    const hours = await one.countHours(unit.db, { projectId, from }, to - 1)
    if (hours.length > 0)
      await unit.db.insert(activityTallyTable).values(hours.map((row) => ({ projectId, kind: one.type, ...row })))
  }
}

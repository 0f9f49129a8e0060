import { and, asc, eq, gte, inArray, lt, sql, sum } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { activityTallyTable } from "./table.ts"

const { projectId: ofProject, kind, hour, count } = activityTallyTable

/** How much of each kind happened in hours from `from` to before `to`, since the epoch; undefined is open. */
interface Hours {
  readonly from: number
  readonly to: number | undefined
}

/** The sum of each kind. Kinds of which there is nothing are missing. */
export async function sumKinds(
  db: Db,
  projectId: string,
  kinds: readonly string[],
  { from, to }: Hours,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ kind, count: sum(count).mapWith(Number).as("sum") })
    .from(activityTallyTable)
    .where(
      and(
        eq(ofProject, projectId),
        inArray(kind, [...kinds]),
        gte(hour, from),
        to === undefined ? undefined : lt(hour, to),
      ),
    )
    .groupBy(kind)
  return new Map(rows.map((row) => [row.kind, row.count]))
}

/** The sum of each kind on each day, counted from the epoch, UTC. */
export function sumDays(
  db: Db,
  projectId: string,
  kinds: readonly string[],
  { from, to }: { from: number; to: number },
) {
  const day = sql<number>`${hour} / 24`
  return db
    .select({ day: day.as("day"), kind, count: sum(count).mapWith(Number).as("sum") })
    .from(activityTallyTable)
    .where(and(eq(ofProject, projectId), inArray(kind, [...kinds]), gte(hour, from * 24), lt(hour, to * 24)))
    .groupBy(kind, day)
    .orderBy(asc(day))
}

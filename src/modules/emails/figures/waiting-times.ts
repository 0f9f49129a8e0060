import { and, asc, eq, min, sql } from "drizzle-orm"
import { earliest } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { unindexed } from "../../../store/dialect.ts"
import { isPending, projectsWaiting } from "../ledger.ts"
import { type Lane, lanes } from "../rules.ts"
import { emailTable } from "../table.ts"

const { createdAt, dueAt, lane: ofLane, id, projectId: ofProject } = emailTable

interface WaitingTimes {
  /** When the oldest message was stored; every message is first due then, and a retry changes only when it is next due. */
  readonly oldest: number | null
  /** The same of those stored after `sentAt`. */
  readonly unserved: number | null
  /** How many were stored before `late` and are due after it: they were tried and postponed. */
  readonly deferred: number
}

/** For the read pool, because it reads every waiting message of a lane. Not for bulk mail, of which there may be millions. */
export async function waitingOf(
  db: Db,
  { lane, late, sentAt }: { lane: Lane; late: number; sentAt: number },
): Promise<WaitingTimes | undefined> {
  const [found] = await db
    .select({
      oldest: min(createdAt),
      unserved: sql<number | null>`min(CASE WHEN ${createdAt} > ${sentAt} THEN ${createdAt} END)`,
      deferred: sql<number>`coalesce(sum(CASE WHEN ${createdAt} <= ${late} AND ${dueAt} > ${late} THEN 1 ELSE 0 END), 0)`,
    })
    .from(emailTable)
    .where(and(isPending, eq(ofLane, lane)))
  return found
}

/**
 * When the oldest waiting bulk message was stored: for every project the one with the first id, by the index of status and id.
 */
export async function bulkSince(db: Db): Promise<number | undefined> {
  const times: (number | undefined)[] = []
  for (const projectId of await projectsWaiting(db, lanes.bulk)) {
    const [row] = await db
      .select({ at: createdAt })
      .from(emailTable)
      .where(and(isPending, eq(ofProject, projectId), eq(unindexed(ofLane), lanes.bulk)))
      .orderBy(asc(id))
      .limit(1)
    times.push(row?.at)
  }
  return earliest(times)
}

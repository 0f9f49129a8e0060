import { count as countOf, sum } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Db } from "../../store/database.ts"
import { nextDueIn } from "./ledger.ts"
import { type Lane, type LaneName, laneNames, lanes } from "./rules.ts"
import { type EmailStatus, emailCountTable, emailStatuses, emailTable } from "./table.ts"

/** The mail of a lane that waits to be sent. */
export interface QueueFigures {
  readonly lane: LaneName
  readonly waiting: number
  /** For how long the longest has been due, in ms; 0 when none is due. */
  readonly overdueMs: number
}

const { lane: ofLane, status, count } = emailCountTable

const countAll = (db: Db) =>
  db
    .select({ lane: ofLane, status, count: sum(count).mapWith(Number).as("total") })
    .from(emailCountTable)
    .groupBy(ofLane, status)

/** Figures of the whole ledger (contract A8.4), from counts and first entries of an index: no message is counted. */
export const createEmailCounts = ({ store, clock }: Pick<Engine, "store" | "clock">) => ({
  /** How many messages are in each status, also those of which there is none. */
  async countByStatus(): Promise<ReadonlyMap<EmailStatus, number>> {
    const counts = new Map<EmailStatus, number>(emailStatuses.map((each) => [each, 0]))
    for (const row of await countAll(store.read)) counts.set(row.status, (counts.get(row.status) ?? 0) + row.count)
    return counts
  },

  async queues(): Promise<QueueFigures[]> {
    const rows = await countAll(store.read)
    const queueOf = async (name: LaneName): Promise<QueueFigures> => {
      const lane: Lane = lanes[name]
      const waiting = rows.find((row) => row.lane === lane && row.status === "PENDING")?.count ?? 0
      const dueAt = waiting > 0 ? await nextDueIn(store.read, lane) : undefined
      return { lane: name, waiting, overdueMs: Math.max(0, clock.now() - (dueAt ?? clock.now())) }
    }
    return Promise.all(laneNames.map(queueOf))
  },
})

/** The number of sent mails of each project. For the read pool, because it reads every row. */
export const countSentByProject = (db: Db) =>
  db
    .select({ projectId: emailTable.projectId, sent: countOf(emailTable.sentAt) })
    .from(emailTable)
    .groupBy(emailTable.projectId)

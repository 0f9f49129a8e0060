import { count as countOf, sum } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { minute } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { prepare } from "../../../store/prepare.ts"
import { type LaneName, laneNames, lanes } from "../rules.ts"
import { type EmailStatus, emailCountTable, emailStatuses, emailTable } from "../table.ts"
import { bulkSince, waitingOf } from "./waiting-times.ts"

/** The mail of a lane that waits to be sent. */
export interface QueueFigures {
  readonly lane: LaneName
  readonly waiting: number
  /** How long the oldest has waited since it was first due, in ms; 0 when none waits. */
  readonly oldestMs: number
  /**
   * The number of messages that were tried, and have waited for 15 minutes or longer. 0 for bulk mail, which is not
   * counted.
   */
  readonly deferred: number
  /**
   * How long the oldest message that was stored after the last hand-over of its lane has waited, in ms. Undefined while
   * unknown, that is, in the first 15 minutes of a process that has handed over nothing in this lane; and for bulk
   * mail.
   */
  readonly unservedMs: number | undefined
}

/** A message that has waited for this long is late. */
export const lateAfterMs = 15 * minute

interface CountDeps extends Pick<Engine, "store" | "clock"> {
  /** When this process last handed over a message of a lane. */
  readonly lastSentAt: ReadonlyMap<number, number>
}

const { lane: ofLane, status, count } = emailCountTable

const countAll = prepare((db) =>
  db
    .select({ lane: ofLane, status, count: sum(count).mapWith(Number).as("total") })
    .from(emailCountTable)
    .groupBy(ofLane, status),
)

/** Figures of the whole ledger (contract A8.4). Only waiting messages are read, off the event loop. */
export function createEmailCounts({ store, clock, lastSentAt }: CountDeps) {
  const startedAt = clock.now()

  /** How many messages of each lane are in a status. */
  async function countIn(wanted: EmailStatus): Promise<ReadonlyMap<LaneName, number>> {
    const rows = (await countAll(store.read, {})).filter(({ status }) => status === wanted)
    return new Map(laneNames.map((name) => [name, rows.find(({ lane }) => lane === lanes[name])?.count ?? 0]))
  }

  async function queueOf(name: LaneName, waiting: number, sending: number): Promise<QueueFigures> {
    const [lane, now] = [lanes[name], clock.now()]
    const since = (at: number | null | undefined): number => Math.max(0, now - (at ?? now))
    const figures = { lane: name, waiting, oldestMs: 0, deferred: 0, unservedMs: undefined }
    if (lane === lanes.bulk) return { ...figures, oldestMs: since(await store.readPool.read("instance", bulkSince)) }
    const sentAt = lastSentAt.get(lane)
    const isKnown = sentAt !== undefined || now - startedAt >= lateAfterMs
    // The message that has waited may be one that is being handed over right now.
    if (waiting === 0)
      return { ...figures, unservedMs: sending > 0 && since(sentAt ?? 0) >= lateAfterMs ? undefined : 0 }
    const late = now - lateAfterMs
    const found = await store.readPool.read("instance", (db) => waitingOf(db, { lane, late, sentAt: sentAt ?? -1 }))
    return {
      ...figures,
      oldestMs: since(found?.oldest),
      deferred: found?.deferred ?? 0,
      unservedMs: isKnown ? since(found?.unserved) : undefined,
    }
  }

  return {
    /** The number of messages in each status, including zeros. */
    async countByStatus(): Promise<ReadonlyMap<EmailStatus, number>> {
      const counts = new Map<EmailStatus, number>(emailStatuses.map((each) => [each, 0]))
      for (const row of await countAll(store.read, {}))
        counts.set(row.status, (counts.get(row.status) ?? 0) + row.count)
      return counts
    },

    /** How many messages of each lane wait. */
    countWaiting: () => countIn("PENDING"),

    async queues(): Promise<QueueFigures[]> {
      const [waiting, sending] = [await countIn("PENDING"), await countIn("SENDING")]
      return Promise.all(laneNames.map((name) => queueOf(name, waiting.get(name) ?? 0, sending.get(name) ?? 0)))
    },
  }
}

/** The number of sent mails of each project. For the read pool, because it reads every row. */
export const countSentByProject = (db: Db) =>
  db
    .select({ projectId: emailTable.projectId, sent: countOf(emailTable.sentAt) })
    .from(emailTable)
    .groupBy(emailTable.projectId)

import { and, asc, eq, getTableColumns, gt, lt, lte, min, or, sql } from "drizzle-orm"
import { earliest } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { listDistinct } from "../../store/distinct.ts"
import { unleased } from "../../store/lease.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Lane, lanes } from "./rules.ts"
import { type Email, emailTable } from "./table.ts"

const placeholder = sql.placeholder

/** Literals, not parameters, because a partial index is used only if the statement contains its condition. */
export const isPending = sql`${emailTable.status} = 'PENDING'`
const isSending = sql`${emailTable.status} = 'SENDING'`
/** Mail that is being handed over, also when a report has already raised its status. */
export const isHeld = sql`${emailTable.leaseUntil} IS NOT NULL`
/** Bulk mail that is claimed. Only the process that claimed it knows whether its hand-over has begun. */
export const isClaimedBulk = sql`${isHeld} AND ${isSending} AND ${emailTable.lane} = ${lanes.bulk}`

/** Every column by its name, so that a new one only has to be added to `newEmail`. */
const insert = prepare((db) => {
  const columns = Object.keys(getTableColumns(emailTable)).map((name) => [name, placeholder(name)])
  return db.insert(emailTable).values(Object.fromEntries(columns))
})

export async function insertEmail(unit: Unit, email: Email): Promise<void> {
  await insert(unit.db, { ...email })
}

const byId = prepare((db) =>
  db
    .select()
    .from(emailTable)
    .where(eq(emailTable.id, idParam("id"))),
)

export async function findEmail(db: Db, id: string): Promise<Email | undefined> {
  const [row] = await byId(db, { id })
  return row
}

/** The next project, by its id, that has mail waiting in a lane: one index lookup. */
const nextProject = prepare((db) =>
  db
    .select({ projectId: min(emailTable.projectId) })
    .from(emailTable)
    .where(and(isPending, eq(emailTable.lane, placeholder("lane")), gt(emailTable.projectId, idParam("after")))),
)

const due = prepare((db) =>
  db
    .select({ id: emailTable.id, dueAt: emailTable.dueAt })
    .from(emailTable)
    .where(
      and(
        isPending,
        eq(emailTable.lane, placeholder("lane")),
        eq(emailTable.projectId, idParam("projectId")),
        lte(emailTable.dueAt, placeholder("now")),
      ),
    )
    .orderBy(asc(emailTable.dueAt), asc(emailTable.id))
    .limit(placeholder("limit")),
)

/** Projects with mail waiting in a lane, in the order of their ids. */
export const projectsWaiting = (db: Db, lane: Lane): Promise<string[]> =>
  listDistinct(async (after) => (await nextProject(db, { lane, after }))[0]?.projectId)

/** The oldest due messages of a project in a lane. */
export const listDue = (
  db: Db,
  lane: Lane,
  projectId: string,
  now: number,
  limit: number,
): Promise<Pick<Email, "id" | "dueAt">[]> => due(db, { lane, projectId, now, limit })

const firstDue = prepare((db) =>
  db
    .select({ at: min(emailTable.dueAt) })
    .from(emailTable)
    .where(and(isPending, eq(emailTable.lane, placeholder("lane")), eq(emailTable.projectId, idParam("projectId")))),
)

/** When the next waiting message of a lane is due, in ms; undefined when none waits. */
async function nextDueIn(db: Db, lane: Lane): Promise<number | undefined> {
  const times: (number | undefined)[] = []
  for (const projectId of await projectsWaiting(db, lane)) {
    const [row] = await firstDue(db, { lane, projectId })
    times.push(row?.at ?? undefined)
  }
  return earliest(times)
}

/** The same for all lanes. */
export async function nextDueAt(db: Db): Promise<number | undefined> {
  const times: (number | undefined)[] = []
  for (const lane of Object.values(lanes)) times.push(await nextDueIn(db, lane))
  return earliest(times)
}

/** How a message waits for its next hand-over. */
export interface Pending {
  readonly dueAt: number
  /** The number of hand-overs made. */
  readonly attempt: number
  /** Why the last one failed. */
  readonly error: string | null
  /** When that one was, if it is unknown whether the message was accepted; null when it was not. */
  readonly handOverAt: number | null
}

/** Back into the queue. */
export async function savePending(unit: Unit, id: string, pending: Pending): Promise<void> {
  await unit.db
    .update(emailTable)
    .set({ status: "PENDING", ...pending, ...unleased, updatedAt: unit.now })
    .where(and(eq(emailTable.id, id), isSending))
}

interface Ending {
  readonly from: "PENDING" | "SENDING"
  readonly status: "FAILED" | "CANCELLED"
  readonly error: string
  /** When its hand-over began, if it is unknown whether it was accepted. */
  readonly handOverAt?: number | null
}

/** Ends a message that is in the given state; false when it is in another one, or deleted. */
export async function saveEnded(unit: Unit, id: string, { from, ...ended }: Ending): Promise<boolean> {
  const rows = await unit.db
    .update(emailTable)
    .set({ ...ended, ...unleased, updatedAt: unit.now })
    .where(and(eq(emailTable.id, id), from === "PENDING" ? isPending : isSending))
    .returning({ id: emailTable.id })
  return rows.length > 0
}

/** The changes of a message by a report: times, and the new status. */
export type Reported = Pick<Email, "status"> & Partial<Pick<Email, "deliveredAt" | "bouncedAt" | "complainedAt">>

/** The error of a message is cleared when its status rises. */
export const errorAfter = sql`CASE ${emailTable.status} WHEN ${placeholder("status")} THEN ${emailTable.error} END`

/**
 * A report on a message of unknown outcome, or one that waits for another attempt, proves that its hand-over succeeded
 * (contract B1.6.6, B9.3). The time of the hand-over is that of its claim or its failure where nobody knows when it began.
 */
export const sentAtAfter = sql`CASE
  WHEN ${emailTable.status} IN ('FAILED', 'PENDING') AND ${placeholder("status")} <> ${emailTable.status}
  THEN coalesce(${emailTable.sentAt}, ${emailTable.handOverAt}, ${emailTable.updatedAt}) ELSE ${emailTable.sentAt} END`

/** Whether the message is in the state that a change starts from. */
export const hasStatus = and(eq(emailTable.id, idParam("id")), eq(emailTable.status, placeholder("from")))

const report = prepare((db) =>
  db
    .update(emailTable)
    .set({
      status: sql`${placeholder("status")}`,
      error: errorAfter,
      sentAt: sentAtAfter,
      deliveredAt: sql`coalesce(${placeholder("deliveredAt")}, ${emailTable.deliveredAt})`,
      bouncedAt: sql`coalesce(${placeholder("bouncedAt")}, ${emailTable.bouncedAt})`,
      complainedAt: sql`coalesce(${placeholder("complainedAt")}, ${emailTable.complainedAt})`,
      updatedAt: sql`${placeholder("now")}`,
    })
    .where(hasStatus)
    .returning({ id: emailTable.id }),
)

/** False when the message has another status than the one it was read with. */
export async function saveReport(unit: Unit, { id, status: from }: Email, reported: Reported): Promise<boolean> {
  const { status, deliveredAt = null, bouncedAt = null, complainedAt = null } = reported
  return (await report(unit.db, { id, from, now: unit.now, status, deliveredAt, bouncedAt, complainedAt })).length > 0
}

/**
 * Reads a message and changes it; `change` resolves to false when a concurrent unit has changed the status, and is then
 * called again with the current message. Resolves to undefined when the message is deleted.
 */
export async function changeEmail(
  unit: Unit,
  id: string,
  change: (email: Email) => Promise<boolean>,
): Promise<Email | undefined> {
  for (;;) {
    const email = await findEmail(unit.db, id)
    if (email === undefined || (await change(email))) return email
  }
}

const firstLapse = prepare((db) =>
  db
    .select({ at: min(emailTable.leaseUntil) })
    .from(emailTable)
    .where(isHeld),
)

/** When the first lease of a message that is being handed over expires, in ms; undefined when there is none. */
export async function nextLapseAt(db: Db): Promise<number | undefined> {
  const [row] = await firstLapse(db, {})
  return row?.at ?? undefined
}

/** Ends the lease of a message that is no longer being handed over. */
export async function clearLease(unit: Unit, id: string): Promise<void> {
  await unit.db.update(emailTable).set(unleased).where(eq(emailTable.id, id))
}

/** Messages whose hand-over was interrupted: those with an expired lease, and all that a starting node held. */
export const listStranded = (db: Db, now: number, limit: number, starting?: string): Promise<Email[]> => {
  const hasLapsed = lt(emailTable.leaseUntil, now)
  return db
    .select()
    .from(emailTable)
    .where(and(isHeld, starting === undefined ? hasLapsed : or(hasLapsed, eq(emailTable.leaseOwner, starting))))
    .orderBy(asc(emailTable.leaseUntil))
    .limit(limit)
}

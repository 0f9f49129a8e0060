import { and, eq, inArray, isNull, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idItemOf, idParam, isOneOf, isUnindexed, itemOf, itemsOf, unindexed } from "../../../store/dialect.ts"
import { type Lease, unleased } from "../../../store/lease.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable } from "../../contacts/index.ts"
import { projectTable } from "../../projects/index.ts"
import { type Email, emailTable } from "../table.ts"

// Every message of the ledger is claimed and marked as sent, so each of these is one statement for many messages.

const placeholder = sql.placeholder

const claim = prepare((db) =>
  db
    .update(emailTable)
    .set({
      status: "SENDING",
      attempt: sql`${emailTable.attempt} + 1`,
      leaseOwner: idParam("owner"),
      leaseUntil: sql`${placeholder("leaseUntil")}`,
      handOverAt: sql`${placeholder("handOverAt")}`,
      updatedAt: sql`${placeholder("now")}`,
    })
    .where(and(isOneOf(emailTable.id, placeholder("ids")), sql`${unindexed(emailTable.status)} = 'PENDING'`))
    .returning(),
)

/**
 * Claims messages before their hand-over, which counts the attempt; in the order of their ids in the list. Skips those
 * that are no longer waiting. `handOverAt`: null where the hand-over may be repeated when nobody knows its outcome.
 */
export async function claimEmails(
  unit: Unit,
  ids: readonly string[],
  { owner, ms }: Lease,
  handOverAt: number | null,
): Promise<Email[]> {
  if (ids.length === 0) return []
  const { now } = unit
  const claimed = await claim(unit.db, { ids: JSON.stringify(ids), owner, now, leaseUntil: now + ms, handOverAt })
  const byId = new Map(claimed.map((email) => [email.id, email]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const claimed = prepare((db) =>
  db
    .select({
      campaignId: emailTable.campaignId,
      unsubscribed: sql<number>`EXISTS (SELECT 1 FROM ${contactTable} WHERE ${contactTable.id} = ${emailTable.contactId} AND NOT ${contactTable.subscribed})`,
      disabled: sql<number>`EXISTS (SELECT 1 FROM ${projectTable} WHERE ${projectTable.id} = ${emailTable.projectId} AND ${projectTable.disabled})`,
    })
    .from(emailTable)
    .where(
      and(
        eq(emailTable.id, idParam("id")),
        isUnindexed(emailTable.status, "SENDING"),
        eq(emailTable.leaseOwner, idParam("leaseOwner")),
        eq(emailTable.attempt, placeholder("attempt")),
      ),
    ),
)

/** The state that the hand-over of a claimed message depends on; undefined when its claim is no longer valid. */
export async function findClaimed(
  db: Db,
  { id, leaseOwner, attempt }: Email,
): Promise<{ campaignId: string | null; unsubscribed: boolean; disabled: boolean } | undefined> {
  const [row] = await claimed(db, { id, leaseOwner, attempt })
  return row && { ...row, unsubscribed: row.unsubscribed === 1, disabled: row.disabled === 1 }
}

/** The states that a message may have when its receipt arrives, because reports can arrive earlier. */
const handedOver = ["SENDING", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const

const markSent = prepare((db) =>
  db
    .update(emailTable)
    .set({
      // Earlier hits are counted, but have not raised the status.
      status: sql`CASE WHEN ${emailTable.status} <> 'SENDING' THEN ${emailTable.status}
        WHEN ${emailTable.clickedAt} IS NOT NULL THEN 'CLICKED' WHEN ${emailTable.openedAt} IS NOT NULL THEN 'OPENED'
        ELSE 'SENT' END`,
      sentAt: sql`${placeholder("now")}`,
      updatedAt: sql`${placeholder("now")}`,
      providerId: itemOf(1),
      ...unleased,
      error: null,
    })
    .from(itemsOf(placeholder("receipts")))
    .where(and(eq(emailTable.id, idItemOf(0)), inArray(emailTable.status, [...handedOver]), isNull(emailTable.sentAt)))
    .returning({ id: emailTable.id, bouncedAt: emailTable.bouncedAt, complainedAt: emailTable.complainedAt }),
)

/** Whether a report of delivery or failure arrived before the receipt was stored. */
export const isReported = ({ status, sentAt }: Email): boolean =>
  sentAt === null && status !== "SENDING" && (handedOver as readonly string[]).includes(status)

/** A message that has just been marked as sent, with the reports that arrived before. */
export type MarkedSent = Pick<Email, "id" | "bouncedAt" | "complainedAt">

/**
 * Marks messages as sent, by their ids with the ids of the provider. Returns the messages marked: not those that were
 * deleted or ended.
 */
export const saveSent = (
  unit: Unit,
  receipts: readonly (readonly [id: string, providerId: string | null])[],
): Promise<MarkedSent[]> => markSent(unit.db, { receipts: JSON.stringify(receipts), now: unit.now })

import { and, eq, inArray, isNull, sql } from "drizzle-orm"
import { idItemOf, idParam, isOneOf, itemOf, itemsOf, unindexed } from "../../store/dialect.ts"
import { type Lease, unleased } from "../../store/lease.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { contactTable } from "../contacts/index.ts"
import { type Email, emailTable } from "./table.ts"

// Every message of the ledger is claimed, begun and marked as sent, so each of these is one statement for many messages.

const placeholder = sql.placeholder

const claim = prepare((db) =>
  db
    .update(emailTable)
    .set({
      status: "SENDING",
      attempt: sql`${emailTable.attempt} + 1`,
      leaseOwner: idParam("owner"),
      leaseUntil: sql`${placeholder("leaseUntil")}`,
      handOverAt: null,
      updatedAt: sql`${placeholder("now")}`,
    })
    .where(and(isOneOf(emailTable.id, placeholder("ids")), sql`${unindexed(emailTable.status)} = 'PENDING'`))
    .returning(),
)

/**
 * Claims messages before their hand-over, which counts the attempt; in the order of their ids in the list. Skips those
 * that are no longer waiting.
 */
export async function claimEmails(unit: Unit, ids: readonly string[], { owner, ms }: Lease): Promise<Email[]> {
  if (ids.length === 0) return []
  const claimed = await claim(unit.db, { ids: JSON.stringify(ids), owner, now: unit.now, leaseUntil: unit.now + ms })
  const byId = new Map(claimed.map((email) => [email.id, email]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** One of these messages, whose claim is still valid. */
const isClaimed = and(
  isOneOf(emailTable.id, placeholder("ids")),
  sql`${unindexed(emailTable.status)} = 'SENDING'`,
  eq(emailTable.leaseOwner, idParam("leaseOwner")),
  eq(emailTable.attempt, placeholder("attempt")),
)

const hasUnsubscribed = sql`EXISTS (SELECT 1 FROM ${contactTable} WHERE ${contactTable.id} = ${emailTable.contactId} AND NOT ${contactTable.subscribed})`

const begin = prepare((db) =>
  db
    .update(emailTable)
    .set({ handOverAt: sql`${placeholder("now")}` })
    .where(and(isClaimed, sql`NOT (${placeholder("consent")} AND ${hasUnsubscribed})`))
    .returning({ id: emailTable.id }),
)

/**
 * Records that the hand-over of claimed messages begins; returns the ids of those for which it may: not of those whose
 * claim is no longer valid, nor of those that `needsConsent` names and whose recipient is not subscribed.
 */
export async function saveBegun(
  unit: Unit,
  emails: readonly Email[],
  needsConsent: (email: Email) => boolean,
): Promise<Set<string>> {
  const alike = Map.groupBy(emails, (email) => `${email.leaseOwner} ${email.attempt} ${needsConsent(email)}`)
  const begun = new Set<string>()
  for (const group of alike.values()) {
    const [first] = group
    if (first === undefined) continue
    const { leaseOwner, attempt } = first
    const ids = JSON.stringify(group.map(({ id }) => id))
    const consent = needsConsent(first) ? 1 : 0
    for (const { id } of await begin(unit.db, { ids, leaseOwner, attempt, consent, now: unit.now })) begun.add(id)
  }
  return begun
}

const retract = prepare((db) => db.update(emailTable).set({ handOverAt: null }).where(isClaimed))

/** Takes back that the hand-over of messages has begun, as far as their claim is still valid. */
export async function saveRetracted(unit: Unit, emails: readonly Email[]): Promise<void> {
  const alike = Map.groupBy(emails, ({ leaseOwner, attempt }) => `${leaseOwner} ${attempt}`)
  for (const group of alike.values()) {
    const [{ leaseOwner, attempt }] = group as [Email]
    await retract(unit.db, { ids: JSON.stringify(group.map(({ id }) => id)), leaseOwner, attempt })
  }
}

/** The states that a message may have when its receipt arrives, because reports can arrive earlier. */
const handedOver = ["SENDING", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const

const markSent = prepare((db) =>
  db
    .update(emailTable)
    .set({
      // Hits that came before are counted, and had not told that it was sent.
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

/** Whether a report has told that a message arrived, or could not be delivered, before its receipt was stored. */
export const isReported = ({ status, sentAt }: Email): boolean =>
  sentAt === null && status !== "SENDING" && (handedOver as readonly string[]).includes(status)

/** A message that has just been marked as sent, with what was reported of it before. */
export type MarkedSent = Pick<Email, "id" | "bouncedAt" | "complainedAt">

/**
 * Marks messages as sent: ids with the id that the other side has given. Returns those that are: not messages that are
 * deleted or have been ended.
 */
export const saveSent = (
  unit: Unit,
  receipts: readonly (readonly [id: string, providerId: string | null])[],
): Promise<MarkedSent[]> => markSent(unit.db, { receipts: JSON.stringify(receipts), now: unit.now })

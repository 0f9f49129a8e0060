import { and, eq } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import type { Db } from "../../../store/database.ts"
import { idParam, isUnindexed } from "../../../store/dialect.ts"
import type { Lease } from "../../../store/lease.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable } from "../../contacts/index.ts"
import { findEmail } from "../ledger.ts"
import type { IsCampaignCancelled, OutcomeRecorder } from "../outcome/outcome.ts"
import { becauseDisabled, campaignCancelled, type Lane, lanes, needsConsent, recipientUnsubscribed } from "../rules.ts"
import { type Email, emailTable } from "../table.ts"
import type { Begun } from "./begun.ts"
import { claimEmails, findClaimed } from "./hand-over.ts"

const candidate = prepare((db) => {
  const { id, campaignId, type, sourceType, createdAt, status } = emailTable
  return db
    .select({ campaignId, type, sourceType, createdAt, subscribed: contactTable.subscribed })
    .from(emailTable)
    .leftJoin(contactTable, eq(contactTable.id, emailTable.contactId))
    .where(and(eq(id, idParam("id")), isUnindexed(status, "PENDING")))
})

type Candidate = Pick<Email, "campaignId" | "type" | "sourceType" | "createdAt"> & {
  readonly subscribed: boolean | null
}

/** The claim has ended, because of another process or because the message was deleted. */
const notClaimed = "not claimed"

interface ClaimDeps extends Pick<Engine, "clock"> {
  readonly begun: Pick<Begun, "restore">
  readonly outcome: OutcomeRecorder
  readonly isCampaignCancelled: IsCampaignCancelled
}

/**
 * Claims messages, and checks them again when their hand-over begins, because that may be a while later. Mail that may
 * no longer be sent is ended instead: that of a cancelled campaign or a disabled project, and mail to a contact who has
 * unsubscribed meanwhile (contract B1.6.3, B1.6.5, B9.4.5). For transports that do not call `begin`, the check is made
 * at the claim.
 */
export function createMailClaimer({ clock, begun, outcome, isCampaignCancelled }: ClaimDeps) {
  /** The reason why a waiting message may not be sent, or undefined. */
  async function blockReasonOf(unit: Unit, id: string): Promise<string | undefined> {
    const [mail] = (await candidate(unit.db, { id })) as Candidate[]
    if (mail === undefined) return undefined
    if (mail.campaignId !== null && (await isCampaignCancelled(unit.db, mail.campaignId))) return campaignCancelled
    return mail.subscribed === false && needsConsent(mail, unit.now) ? recipientUnsubscribed : undefined
  }

  /** Why the hand-over of a message may not begin, or undefined. */
  async function obstacleOf(db: Db, email: Email): Promise<string | undefined> {
    const found = await findClaimed(db, email)
    if (found === undefined) return notClaimed
    // A campaign detaches its mail before it is deleted.
    if (found.campaignId !== email.campaignId) return campaignCancelled
    if (email.campaignId !== null && (await isCampaignCancelled(db, email.campaignId))) return campaignCancelled
    if (found.unsubscribed && needsConsent(email, clock.now())) return recipientUnsubscribed
    return found.disabled ? becauseDisabled : undefined
  }

  return {
    /** Claims messages in a unit before their hand-over; `begins` says whether `begin` will be called. */
    async claim(
      unit: Unit,
      { lane, ids, lease, begins }: { lane: Lane; ids: readonly string[]; lease: Lease; begins: boolean },
    ): Promise<Email[]> {
      const isExamined = !begins && lane !== lanes.transactional
      const handOverAt = lane === lanes.bulk && begins ? unit.now : null
      if (!isExamined) return outcome.endDisabled(unit, await claimEmails(unit, ids, lease, handOverAt))
      const free: string[] = []
      for (const id of ids) {
        const reason = await blockReasonOf(unit, id)
        const email = reason === undefined ? undefined : await findEmail(unit.db, id)
        if (reason === undefined) free.push(id)
        else if (email) await outcome.cancel(unit, email, reason)
      }
      return outcome.endDisabled(unit, await claimEmails(unit, free, lease, handOverAt))
    },

    /** Whether the hand-over of a claimed message may begin. */
    mayBegin: async (db: Db, email: Email): Promise<boolean> => (await obstacleOf(db, email)) === undefined,

    /** The same for messages that failed the check, one by one: those that may never be sent are ended. */
    async examine(unit: Unit, emails: readonly Email[]): Promise<boolean[]> {
      const allowed: boolean[] = []
      for (const email of emails) {
        const obstacle = await obstacleOf(unit.db, email)
        if (obstacle === undefined) begun.restore(email.id)
        else if (obstacle === becauseDisabled) await outcome.endDisabled(unit, [email])
        else if (obstacle !== notClaimed) await outcome.cancel(unit, email, obstacle)
        allowed.push(obstacle === undefined)
      }
      return allowed
    },
  }
}

export type MailClaimer = ReturnType<typeof createMailClaimer>

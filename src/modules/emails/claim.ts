import { and, eq, sql } from "drizzle-orm"
import { once } from "../../kernel/once.ts"
import { idParam } from "../../store/dialect.ts"
import type { Lease } from "../../store/lease.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { contactTable } from "../contacts/index.ts"
import { claimEmails, saveBegun, saveRetracted } from "./hand-over.ts"
import { findEmail } from "./ledger.ts"
import type { IsCampaignCancelled, OutcomeRecorder } from "./outcome.ts"
import { campaignCancelled, type Lane, lanes, needsConsent, recipientUnsubscribed } from "./rules.ts"
import { type Email, emailTable } from "./table.ts"

const candidate = prepare((db) => {
  const { id, campaignId, type, sourceType, createdAt, status } = emailTable
  return db
    .select({ campaignId, type, sourceType, createdAt, subscribed: contactTable.subscribed })
    .from(emailTable)
    .leftJoin(contactTable, eq(contactTable.id, emailTable.contactId))
    .where(and(eq(id, idParam("id")), eq(status, sql.placeholder("status"))))
})

type Candidate = Pick<Email, "campaignId" | "type" | "sourceType" | "createdAt"> & {
  readonly subscribed: boolean | null
}

interface ClaimDeps {
  readonly outcome: OutcomeRecorder
  readonly isCampaignCancelled: IsCampaignCancelled
}

/**
 * Claims messages, and records that their hand-over begins. Mail that may no longer be sent is ended instead: that of a
 * cancelled campaign or a disabled project, and that to a contact who has unsubscribed since (contract B1.6.3, B1.6.5,
 * B9.4.5). Bulk mail, whose beginning is recorded, is examined then, because it may have been claimed a while before; other
 * mail when it is claimed, and bulk mail too where no beginning is recorded.
 */
export function createMailClaimer({ outcome, isCampaignCancelled }: ClaimDeps) {
  /** The reason why a message may not be sent, or undefined. */
  async function blockReasonOf(unit: Unit, id: string, status: "PENDING" | "SENDING"): Promise<string | undefined> {
    const [mail] = (await candidate(unit.db, { id, status })) as Candidate[]
    if (mail === undefined) return undefined
    if (mail.campaignId !== null && (await isCampaignCancelled(unit.db, mail.campaignId))) return campaignCancelled
    return mail.subscribed === false && needsConsent(mail, unit.now) ? recipientUnsubscribed : undefined
  }

  return {
    /** Claims messages in the unit before their hand-over; `begins` says whether its beginning is recorded. */
    async claim(
      unit: Unit,
      { lane, ids, lease, begins }: { lane: Lane; ids: readonly string[]; lease: Lease; begins: boolean },
    ): Promise<Email[]> {
      const isExamined = lane === lanes.workflow || (lane === lanes.bulk && !begins)
      if (!isExamined) return outcome.endDisabled(unit, await claimEmails(unit, ids, lease))
      const free: string[] = []
      for (const id of ids) {
        const reason = await blockReasonOf(unit, id, "PENDING")
        const email = reason === undefined ? undefined : await findEmail(unit.db, id)
        if (reason === undefined) free.push(id)
        else if (email) await outcome.cancel(unit, email, reason)
      }
      return outcome.endDisabled(unit, await claimEmails(unit, free, lease))
    },

    /**
     * Records that the hand-over of claimed bulk messages begins; for each whether it may be sent, which it may not when
     * its claim is no longer valid either.
     */
    async begin(unit: Unit, emails: readonly Email[]): Promise<boolean[]> {
      const isCancelled = once((campaignId) => isCampaignCancelled(unit.db, campaignId))
      const left: Email[] = []
      for (const email of emails)
        if (email.campaignId === null || !(await isCancelled(email.campaignId))) left.push(email)
      const begun = await saveBegun(unit, left, (email) => needsConsent(email, unit.now))
      for (const email of emails) {
        if (begun.has(email.id)) continue
        const reason = await blockReasonOf(unit, email.id, "SENDING")
        if (reason !== undefined) await outcome.cancel(unit, email, reason)
      }
      return emails.map(({ id }) => begun.has(id))
    },

    /** Takes back that the hand-over of messages has begun: nobody has anything of them. */
    retract: saveRetracted,
  }
}

export type MailClaimer = ReturnType<typeof createMailClaimer>

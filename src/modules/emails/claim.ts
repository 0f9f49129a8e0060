import { and, eq, sql } from "drizzle-orm"
import type { Lease } from "../../store/lease.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { contactTable } from "../contacts/index.ts"
import { claimEmails, findEmail } from "./ledger.ts"
import type { IsCampaignCancelled, OutcomeRecorder } from "./outcome.ts"
import { campaignCancelled, type Lane, lanes, needsConsent, recipientUnsubscribed } from "./rules.ts"
import { type Email, emailTable } from "./table.ts"

const waiting = prepare((db) => {
  const { id, campaignId, type, sourceType, status } = emailTable
  return db
    .select({ campaignId, type, sourceType, subscribed: contactTable.subscribed })
    .from(emailTable)
    .leftJoin(contactTable, eq(contactTable.id, emailTable.contactId))
    .where(and(eq(id, sql.placeholder("id")), eq(status, "PENDING")))
})

type Candidate = Pick<Email, "campaignId" | "type" | "sourceType"> & { readonly subscribed: boolean | null }

interface ClaimDeps {
  readonly outcome: OutcomeRecorder
  readonly isCampaignCancelled: IsCampaignCancelled
}

/**
 * Claims messages in the unit before their hand-over. Mail that may no longer be sent is ended instead: that of a
 * cancelled campaign, and that to a contact who has unsubscribed since (contract B1.6.3, B1.6.5).
 */
export function createMailClaimer({ outcome, isCampaignCancelled }: ClaimDeps) {
  /** The reason why a message may not be sent, or undefined. */
  async function blockReasonOf(unit: Unit, mail: Candidate): Promise<string | undefined> {
    if (mail.campaignId !== null && (await isCampaignCancelled(unit.db, mail.campaignId))) return campaignCancelled
    return mail.subscribed === false && needsConsent(mail) ? recipientUnsubscribed : undefined
  }

  return async (unit: Unit, lane: Lane, ids: readonly string[], lease: Lease): Promise<Email[]> => {
    if (lane === lanes.transactional) return claimEmails(unit, ids, lease)
    const free: string[] = []
    for (const id of ids) {
      const [mail] = await waiting(unit.db, { id })
      const blockReason = mail && (await blockReasonOf(unit, mail))
      if (blockReason === undefined) free.push(id)
      else {
        const email = await findEmail(unit.db, id)
        if (email) await outcome.cancel(unit, email, blockReason)
      }
    }
    return claimEmails(unit, free, lease)
  }
}

export type ClaimMail = ReturnType<typeof createMailClaimer>

import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import type { Receipt } from "../../mail/transport.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { findEmail, saveBegun, saveEnded, savePending, saveSent } from "./ledger.ts"
import type { MailEvents } from "./mail-events.ts"
import { campaignCancelled, nextAttemptAt, outcomeUnknown, repeatsUnknown } from "./rules.ts"
import type { Email } from "./table.ts"

/** A transport has accepted a message. */
export const emailSent = defineSignal<{ emailId: string }>("email.sent")
/** A message of a campaign is neither waiting nor under way any more: it has left, or never will. */
export const emailEnded = defineSignal<{ emailId: string; campaignId: string }>("email.ended")
/** A message came in whole, for one recipient or several; the first of its records. */
export const emailReceived = defineSignal<{ emailId: string }>("email.received")
/** A row of the ledger is new, different, gone, or marked as read or unread: live views follow it. */
export const emailChanged = defineSignal<{
  id: string
  change: "created" | "updated" | "deleted" | "cleared" | "marked"
}>("email.changed")

const interrupted = "The hand-over was interrupted."

/** Longer reasons are cut: they come from other servers. */
const maxReason = 1_000

/** Whether a campaign was cancelled, so that its mail may not leave any more. Reads through the handle of the caller's unit. */
export type IsCampaignCancelled = (db: Db, campaignId: string) => Promise<boolean>

interface OutcomeDeps extends Pick<Engine, "bus"> {
  readonly events: MailEvents
  readonly isCampaignCancelled: IsCampaignCancelled
}

export function createOutcomeRecorder({ bus, events, isCampaignCancelled }: OutcomeDeps) {
  async function emitEnded(unit: Unit, { id, projectId, campaignId }: Email): Promise<void> {
    if (campaignId !== null) await bus.emit(unit, emailEnded, projectId, { emailId: id, campaignId })
  }

  /** A report that came before the receipt may have moved the message on; under way it is no more in any case. */
  async function end(unit: Unit, email: Email, status: "FAILED" | "CANCELLED", error: string): Promise<void> {
    await saveEnded(unit, email.id, { from: "SENDING", status, error })
    await emitEnded(unit, email)
  }

  /** Whether the campaign of a message was cancelled, or deleted after that, while the message was under way. */
  async function hasLostCampaign(unit: Unit, { id, campaignId }: Email): Promise<boolean> {
    if (campaignId === null) return false
    return (await isCampaignCancelled(unit.db, campaignId)) || (await findEmail(unit.db, id))?.campaignId !== campaignId
  }

  /** Schedules the next attempt of a message that was not taken, or ends it when no attempt is left. */
  async function retryLater(unit: Unit, email: Email, reason: string, retryAt?: number): Promise<void> {
    const dueAt = nextAttemptAt(unit.now, email.attempt, retryAt)
    if (dueAt === undefined) await end(unit, email, "FAILED", reason)
    else if (await hasLostCampaign(unit, email)) await end(unit, email, "CANCELLED", campaignCancelled)
    else await savePending(unit, email.id, dueAt, email.attempt, reason)
  }

  async function apply(unit: Unit, email: Email, receipt: Receipt): Promise<void> {
    switch (receipt.outcome) {
      case "sent":
        if (!(await saveSent(unit, email.id, receipt.providerId))) return
        await events.sent(unit, email)
        await emitEnded(unit, email)
        return bus.emit(unit, emailSent, email.projectId, { emailId: email.id })
      case "deferred":
        return retryLater(unit, email, receipt.reason.slice(0, maxReason), receipt.retryAt)
      case "rejected":
        return end(unit, email, "FAILED", receipt.reason.slice(0, maxReason))
      case "unknown":
        if (repeatsUnknown(email.lane)) return retryLater(unit, email, receipt.reason.slice(0, maxReason))
        return end(unit, email, "FAILED", outcomeUnknown)
    }
  }

  return {
    /** Records that the hand-over of a message begins; throws when its claim does not stand any more, so that it must not. */
    async begin(unit: Unit, email: Email): Promise<void> {
      if (!(await saveBegun(unit, email))) throw new Error("The message is not to be handed over any more.")
    },
    /** Records what became of a hand-over, with the events that follow from it (contract A4.5). */
    async settle(unit: Unit, email: Email, receipt: Receipt): Promise<void> {
      await apply(unit, email, receipt)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /**
     * The process died, or a lease ran out, between claim and receipt. Once the hand-over has begun nobody knows whether
     * the message was taken; before that it surely was not.
     */
    async resume(unit: Unit, email: Email): Promise<void> {
      const hasAttemptsLeft = nextAttemptAt(unit.now, email.attempt) !== undefined
      const mayBeTaken = email.handOverAt !== null
      if (mayBeTaken && !repeatsUnknown(email.lane)) await end(unit, email, "FAILED", outcomeUnknown)
      else if (await hasLostCampaign(unit, email)) await end(unit, email, "CANCELLED", campaignCancelled)
      else if (hasAttemptsLeft) await savePending(unit, email.id, unit.now, email.attempt, interrupted)
      else await end(unit, email, "FAILED", interrupted)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /** Ends a waiting message that may not leave any more. */
    async cancel(unit: Unit, email: Email, reason: string): Promise<void> {
      if (!(await saveEnded(unit, email.id, { from: "PENDING", status: "CANCELLED", error: reason }))) return
      await emitEnded(unit, email)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /** The hand-over did not begin: the message goes back as if it had not been claimed. */
    async release(unit: Unit, email: Email): Promise<void> {
      await savePending(unit, email.id, email.dueAt, email.attempt - 1, null)
    },
  }
}

export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>

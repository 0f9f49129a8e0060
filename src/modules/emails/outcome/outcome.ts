import type { Bus } from "../../../bus/bus.ts"
import { defineSignal } from "../../../bus/signal.ts"
import type { Engine } from "../../../engine.ts"
import { once } from "../../../kernel/once.ts"
import type { Receipt } from "../../../mail/transport.ts"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Projects } from "../../projects/index.ts"
import type { Begun } from "../delivery/begun.ts"
import { isReported, type MarkedSent, saveSent } from "../delivery/hand-over.ts"
import { clearLease, findEmail, type Pending, saveEnded, savePending } from "../ledger.ts"
import {
  becauseDisabled,
  campaignCancelled,
  nextAfterInterruption,
  nextAttemptAt,
  outcomeUnknown,
  repeatsUnknown,
} from "../rules.ts"
import type { Email } from "../table.ts"
import type { MailEvents } from "./mail-events.ts"

/** A transport has accepted a message. */
export const emailSent = defineSignal<{ emailId: string }>("email.sent")
/** A message of a campaign is no longer waiting or being handed over: it was sent, or never will be. */
export const emailEnded = defineSignal<{ emailId: string; campaignId: string }>("email.ended")
/**
 * Called with the status before a report or hit that may have raised it, after which a campaign's message no longer
 * waits.
 */
export async function emitEndOfWait(bus: Pick<Bus, "emit">, unit: Unit, email: Email): Promise<void> {
  const { id, projectId, campaignId, status } = email
  // If it still waits, the subscriber finds nothing to do.
  if (status === "PENDING" && campaignId !== null)
    await bus.emit(unit, emailEnded, projectId, { emailId: id, campaignId })
}
/** Messages no longer belong to a campaign, which is being deleted. */
export const emailsReleased = defineSignal<{ campaignId: string; ids: readonly string[] }>("email.released")
/** A record has become the first one of its message, replacing a deleted one. */
export const emailPromoted = defineSignal<{ id: string; before: string }>("email.promoted")
/** A complete message was received, for one or more recipients; the id of its first record. */
export const emailReceived = defineSignal<{ emailId: string }>("email.received")
/** A message bounced permanently or was complained about; emitted again with the receipt when the report came first. */
export const emailReported = defineSignal<{ emailId: string; kind: "bounce" | "complaint" }>("email.reported")
/** A row of the ledger was created, changed, deleted, or marked as read or unread; for live views. */
export const emailChanged = defineSignal<{
  id: string
  change: "created" | "updated" | "deleted" | "cleared" | "marked"
}>("email.changed")

const interrupted = "The hand-over was interrupted."

/** The longest stored reason; reasons come from other servers. */
const maxReason = 1_000

/**
 * Whether a campaign was cancelled, so that its mail may no longer be sent. Reads through the handle of the caller's
 * unit.
 */
export type IsCampaignCancelled = (db: Db, campaignId: string) => Promise<boolean>

/** The hand-over did not begin, because the message cannot be rendered now (contract A3.6). No attempt is counted. */
interface Postponed {
  readonly outcome: "postponed"
  readonly reason: string
  readonly dueAt: number
}

/** A message with the outcome of its hand-over. */
export interface Settled {
  readonly email: Email
  readonly receipt: Receipt | Postponed
}

type Unsent = Exclude<Settled["receipt"], { outcome: "sent" }>

interface SentEmail {
  readonly email: Email
  readonly providerId: string | null
}

interface OutcomeDeps extends Pick<Engine, "bus"> {
  readonly projects: Pick<Projects, "find">
  readonly events: MailEvents
  readonly begun: Pick<Begun, "left" | "timeOf">
  readonly isCampaignCancelled: IsCampaignCancelled
}

export function createOutcomeRecorder({ bus, projects, events, begun, isCampaignCancelled }: OutcomeDeps) {
  /** By lane. */
  const lastSentAt = new Map<number, number>()

  async function emitEnded(unit: Unit, { id, projectId, campaignId }: Email): Promise<void> {
    if (campaignId !== null) await bus.emit(unit, emailEnded, projectId, { emailId: id, campaignId })
  }

  /** Reports that arrived before the receipt count from the receipt on (contract B9.4.1). */
  async function emitReported(unit: Unit, { id, projectId }: Email, reported: MarkedSent): Promise<void> {
    if (reported.bouncedAt !== null) await bus.emit(unit, emailReported, projectId, { emailId: id, kind: "bounce" })
    if (reported.complainedAt !== null)
      await bus.emit(unit, emailReported, projectId, { emailId: id, kind: "complaint" })
  }

  /**
   * A report that arrived before the receipt may have changed the status; the message is no longer being handed over in
   * any case.
   */
  async function end(
    unit: Unit,
    email: Email,
    status: "FAILED" | "CANCELLED",
    error: string,
    handOverAt = email.handOverAt,
  ): Promise<void> {
    await saveEnded(unit, email.id, { from: "SENDING", status, error, handOverAt })
    await emitEnded(unit, email)
  }

  /** Whether the campaign of a message was cancelled during the hand-over, and possibly deleted since. */
  async function hasLostCampaign(unit: Unit, { id, campaignId }: Email): Promise<boolean> {
    if (campaignId === null) return false
    return (await isCampaignCancelled(unit.db, campaignId)) || (await findEmail(unit.db, id))?.campaignId !== campaignId
  }

  const isDisabled = async (unit: Unit, projectId: string): Promise<boolean> =>
    (await projects.find(projectId, unit.db))?.disabled === true

  /** Schedules the next attempt of a message that was not accepted, or ends it when no attempt is left. */
  async function retryLater(
    unit: Unit,
    email: Email,
    {
      reason,
      retryAt,
      handOverAt = null,
    }: { reason: string; retryAt?: number | undefined; handOverAt?: number | null },
  ): Promise<void> {
    const error = reason.slice(0, maxReason)
    const dueAt = nextAttemptAt(unit.now, email.attempt, retryAt)
    if (dueAt === undefined) await end(unit, email, "FAILED", error)
    else await keepWaiting(unit, email, { error, dueAt, attempt: email.attempt, handOverAt })
  }

  /** The same for a message that the transport could not try yet, which does not use up an attempt. */
  async function retryUncounted(unit: Unit, email: Email, { reason, retryAt }: { reason: string; retryAt?: number }) {
    const dueAt = nextAttemptAt(unit.now, 1, retryAt) ?? unit.now
    const attempt = email.attempt - 1
    await keepWaiting(unit, email, { error: reason.slice(0, maxReason), dueAt, attempt, handOverAt: null })
  }

  /** Unless it may no longer be sent, which was decided during the hand-over. */
  async function keepWaiting(unit: Unit, email: Email, pending: Pending): Promise<void> {
    if (await hasLostCampaign(unit, email)) await end(unit, email, "CANCELLED", campaignCancelled)
    else if (await isDisabled(unit, email.projectId)) await end(unit, email, "FAILED", becauseDisabled)
    else await savePending(unit, email.id, pending)
  }

  /** Whether an earlier report proves that the message was accepted. */
  async function hasReport(unit: Unit, { id }: Email): Promise<boolean> {
    const email = await findEmail(unit.db, id)
    return email !== undefined && isReported(email)
  }

  async function settleSent(unit: Unit, sent: readonly SentEmail[]): Promise<void> {
    const receipts = sent.map(({ email, providerId }) => [email.id, providerId] as const)
    const marked = new Map((await saveSent(unit, receipts)).map((each) => [each.id, each]))
    unit.afterCommit(() => {
      for (const { email } of sent) lastSentAt.set(email.lane, unit.now)
    })
    for (const { email } of sent) {
      const reported = marked.get(email.id)
      if (reported === undefined) continue
      await events.sent(unit, email)
      await emitEnded(unit, email)
      await emitReported(unit, email, reported)
      await bus.emit(unit, emailSent, email.projectId, { emailId: email.id })
    }
  }

  async function settleUnsent(unit: Unit, email: Email, receipt: Unsent): Promise<void> {
    switch (receipt.outcome) {
      case "deferred":
        return receipt.uncounted ? retryUncounted(unit, email, receipt) : retryLater(unit, email, receipt)
      case "postponed": {
        const { dueAt, reason: error } = receipt
        return keepWaiting(unit, email, { dueAt, error, attempt: email.attempt - 1, handOverAt: null })
      }
      case "rejected":
        return end(unit, email, "FAILED", receipt.reason.slice(0, maxReason))
      case "unknown":
        if (repeatsUnknown(email.lane)) return retryLater(unit, email, { ...receipt, handOverAt: unit.now })
        return end(unit, email, "FAILED", outcomeUnknown, begun.timeOf(email.id))
    }
  }

  async function resumeSending(unit: Unit, email: Email): Promise<void> {
    const { attempt } = email
    const repeats = repeatsUnknown(email.lane)
    const dueAt = nextAfterInterruption(unit.now, attempt)
    const left = begun.left(email)
    if (left.is === "accepted") await settleSent(unit, [{ email, providerId: null }])
    else if (left.is === "unknown") await end(unit, email, "FAILED", outcomeUnknown, left.at)
    else if (dueAt === undefined) await end(unit, email, "FAILED", interrupted)
    else await keepWaiting(unit, email, { dueAt, attempt, error: interrupted, handOverAt: repeats ? unit.now : null })
  }

  return {
    /** When this process last handed over a message of a lane. */
    lastSentAt: lastSentAt as ReadonlyMap<number, number>,
    /** Records the outcomes of hand-overs, with the resulting events (contract A4.5). */
    async settle(unit: Unit, settled: readonly Settled[]): Promise<void> {
      const sent: SentEmail[] = []
      for (const { email, receipt } of settled) {
        if (receipt.outcome === "sent") sent.push({ email, providerId: receipt.providerId })
        else if (await hasReport(unit, email)) sent.push({ email, providerId: null })
        else await settleUnsent(unit, email, receipt)
      }
      if (sent.length > 0) await settleSent(unit, sent)
      for (const { email } of settled)
        await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /**
     * Resolves a claim without a receipt, after a crash or an expired lease. If the hand-over had begun, it is unknown
     * whether the message was accepted, unless a report proves it; if not, it was not accepted. If that is unknown too,
     * the hand-over counts as begun.
     */
    async resume(unit: Unit, email: Email): Promise<void> {
      if (isReported(email)) await settleSent(unit, [{ email, providerId: null }])
      else if (email.status === "SENDING") await resumeSending(unit, email)
      // Ends the lease whatever the outcome, because otherwise the message would be examined again and again.
      else await clearLease(unit, email.id)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /** Ends those of the claimed messages whose project is disabled; resolves to the others. */
    async endDisabled(unit: Unit, claimed: readonly Email[]): Promise<Email[]> {
      const isOfDisabled = once((projectId) => isDisabled(unit, projectId))
      const free: Email[] = []
      for (const email of claimed) {
        if (!(await isOfDisabled(email.projectId))) {
          free.push(email)
          continue
        }
        if (email.campaignId === null) await end(unit, email, "FAILED", becauseDisabled)
        else await end(unit, email, "CANCELLED", campaignCancelled)
        await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
      }
      return free
    },
    /** Ends a message that waits, or whose hand-over has not begun, and that may no longer be sent. */
    async cancel(unit: Unit, email: Email, reason: string): Promise<void> {
      const from = email.status === "SENDING" ? "SENDING" : "PENDING"
      if (!(await saveEnded(unit, email.id, { from, status: "CANCELLED", error: reason }))) return
      await emitEnded(unit, email)
      await bus.emit(unit, emailChanged, email.projectId, { id: email.id, change: "updated" })
    },
    /**
     * The hand-over did not begin: returns the message to the queue as if it had not been claimed, unless its campaign was
     * cancelled meanwhile.
     */
    async release(unit: Unit, email: Email): Promise<void> {
      const { dueAt, attempt } = email
      await keepWaiting(unit, email, { dueAt, attempt: attempt - 1, error: null, handOverAt: null })
    },
  }
}

export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>

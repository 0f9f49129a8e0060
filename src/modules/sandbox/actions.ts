import type { Subscriber } from "../../bus/bus.ts"
import type { Signal, SignalKind } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { minute, second } from "../../kernel/clock.ts"
import { DomainError, notFound } from "../../kernel/errors.ts"
import { deferred, type Outgoing, type Receipt, rejected, sent } from "../../mail/transport.ts"
import { inSlices } from "../../store/slices.ts"
import { isUnavailable, type Unit } from "../../store/writer.ts"
import { type Email, type Emails, emailChanged, emailEnded, emailSent } from "../emails/index.ts"
import { findOriginal, saveOriginal } from "../originals/index.ts"
import { deferral, deferredAttempts, failure, outcomeOf, reportsOf } from "./simulated-outcome.ts"
import { attemptOf, deleteOldest, deleteRecords, listMails, listRecordsOfMessage, newestEmail } from "./store.ts"

const retryMs = 1 * second
/** Less than the lease of a hand-over. */
const longestMs = 5 * minute

const noMessage =
  "There is no message of this email: it was not handed over yet, or will not be, or it is not kept any longer."

/** How many emails one unit deletes, in a few milliseconds. */
const sliceSize = 100

/**
 * Stores a message handed to the capturing transport, exactly as it would have been sent. While the store cannot be
 * written it tries again every second instead of answering, so that the message loses no attempt.
 */
export const capture =
  ({ store, realClock }: Pick<Engine, "store" | "realClock">) =>
  async (message: Outgoing, abort: AbortSignal): Promise<Receipt> => {
    const outcome = outcomeOf(message.envelope.to)
    if (outcome === "fail") return rejected(failure)
    if (outcome === "defer" && (await attemptOf(store.read, message.id)) <= deferredAttempts) return deferred(deferral)
    const raw = await message.bytes()
    for (const until = realClock.now() + longestMs; ; await realClock.sleep(retryMs, abort)) {
      try {
        await store.write("instance", (unit) => saveOriginal(unit, raw, [message.id]))
        return sent(null)
      } catch (cause) {
        if (!isUnavailable(cause) || abort.aborted || realClock.now() >= until) throw cause
      }
    }
  }

/**
 * Simulates the receiving side: sent mail is delivered, or has the outcome that its address requests (contract A8.3.3).
 */
export const createSimulator = (emails: Emails): Subscriber => ({
  name: "sandbox.simulator",
  on: [emailSent as SignalKind<unknown>],
  async handle(signals, unit) {
    for (const { payload } of signals as readonly Signal<{ emailId: string }>[]) {
      const to = await emails.addressOf(unit, payload.emailId)
      if (to === undefined) continue
      for (const report of reportsOf[outcomeOf(to)]) await emails.report(unit, payload.emailId, report)
    }
  },
})

export function createSandboxActions({ store, bus }: Pick<Engine, "store" | "bus">) {
  /** Deleted mails may have been the last ones that their campaigns were waiting for. */
  async function tellCampaigns(unit: Unit, projectId: string, deleted: readonly Pick<Email, "id" | "campaignId">[]) {
    for (const { id, campaignId } of deleted)
      if (campaignId !== null) await bus.emit(unit, emailEnded, projectId, { emailId: id, campaignId })
  }

  /** Deletes some records of the message that an email belongs to. @throws {DomainError} 404 for an unknown email */
  const deleteOf = (projectId: string, id: string, chosen: (records: readonly string[]) => readonly string[]) =>
    store.write(projectId, async (unit) => {
      const records = await listRecordsOfMessage(unit, projectId, id)
      if (records.length === 0) throw notFound("Email", id)
      const ids = chosen(records)
      const mails = await listMails(unit.db, ids)
      await deleteRecords(bus, unit, projectId, ids)
      await tellCampaigns(unit, projectId, mails)
      for (const each of ids) await bus.emit(unit, emailChanged, projectId, { id: each, change: "deleted" })
    })

  return {
    /** @throws {DomainError} 404 while it is not captured, and when it never is, or is not kept any longer */
    async raw(emailId: string): Promise<Uint8Array> {
      const raw = await findOriginal(store.read, emailId)
      if (raw === undefined) throw new DomainError("not_found", "RESOURCE_NOT_FOUND", noMessage)
      return raw
    },

    /** Deletes one email permanently. */
    deleteOne: (projectId: string, id: string): Promise<void> => deleteOf(projectId, id, () => [id]),

    /** Deletes the message that an email belongs to, with the records of all its recipients. */
    deleteMessage: (projectId: string, id: string): Promise<void> => deleteOf(projectId, id, (records) => records),

    /** Deletes all mail that the project has now, in short units. */
    async deleteAll(projectId: string): Promise<void> {
      const until = await newestEmail(store.read, projectId)
      if (until === undefined) return
      const deleteSlice = async (unit: Unit, limit: number) => {
        const deleted = await deleteOldest(unit, projectId, until, limit)
        await tellCampaigns(unit, projectId, deleted)
        if (deleted.length < limit) await bus.emit(unit, emailChanged, projectId, { id: "", change: "cleared" })
        return deleted.length
      }
      await inSlices(store, projectId, deleteSlice, { size: sliceSize })
    },
  }
}

export type SandboxActions = ReturnType<typeof createSandboxActions>

import type { Engine } from "../../../engine.ts"
import { isWithin, minute, second } from "../../../kernel/clock.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { createDeadlines, createTimeLimit } from "../../../kernel/time-limit.ts"
import {
  type Outgoing,
  type Receipt,
  type TellReceipt,
  type Transport,
  unknownOutcome,
} from "../../../mail/transport.ts"
import { isSendingPaused } from "../../../store/sending-pause.ts"
import type { Unit } from "../../../store/writer.ts"
import type { OutcomeRecorder, Settled } from "../outcome/outcome.ts"
import { type Lane, lanes } from "../rules.ts"
import type { Email } from "../table.ts"
import { createBeginnings } from "./beginnings.ts"
import type { Begun } from "./begun.ts"
import type { MailClaimer } from "./claim.ts"
import { aheadOf, createClaimedLane } from "./claimed-lane.ts"
import { keepTrack } from "./keep-track.ts"
import { createPreparer, type PreparerDeps } from "./prepare.ts"
import { createReceiptRecorder } from "./receipts.ts"
import { groupsBySize } from "./size-groups.ts"
import { createThrottle, type Throttle } from "./throttle.ts"
import { createWaitingLane, type WaitingLane } from "./waiting.ts"

export interface TransportQueueDeps extends Pick<Engine, "store" | "realClock" | "metrics">, PreparerDeps {
  readonly begun: Begun
  readonly claimer: MailClaimer
  readonly outcome: OutcomeRecorder
  /** Messages per second and project. */
  readonly perProject: Throttle
}

/** One transport with its lanes, in order of priority. */
export interface TransportQueue {
  readonly lanes: readonly WaitingLane[]
  readonly transport: Transport
  /**
   * Hands over all messages that may be sent now, with the concurrency of the transport; resolves when nothing is left
   * to start.
   */
  pump(): Promise<void>
  /** The number of messages whose hand-over this process has started. */
  readonly started: number
  /** Resolves when no claim and no hand-over is running. */
  settled(): Promise<void>
  /** Ids that this process is handing over. In memory, because other processes see the leases. */
  readonly underWay: ReadonlySet<string>
  /**
   * Starts no more, waits for running hand-overs, and after `graceMs` releases the messages that have not been handed
   * over.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The lease of a claim, longer than any hand-over: transports have their own time limits, but one call may try several
 * transports.
 */
export const leaseMs = 10 * minute
/** A call is aborted after this time, so that it ends before its lease. */
const callMs = leaseMs - 15 * second
/** Calls that begin within this time share one abort signal. */
const togetherMs = 5 * second
/** Calls are made ahead only while calls take less than this, in ms: longer ones would only wait for a connection. */
const quickMs = 250
/** How long a transport may take to settle after an abort, in ms. */
const afterAbortMs = 2_000
/** Messages that are claimed, checked or recorded in one unit, unless the batch of a transport is larger. */
const perUnit = 64

export function createTransportQueue(
  transport: Transport,
  laneNumbers: readonly (0 | 1 | 2)[],
  deps: TransportQueueDeps,
): TransportQueue {
  const { store, clock, realClock, log, drafts, begun, claimer, outcome, perProject } = deps
  const { batch, concurrency, ahead = 0, perSecond = 0 } = transport.limits
  const pace = createThrottle(perSecond, realClock)
  const underWay = new Set<string>()
  const waiting = laneNumbers.map((lane) => createWaitingLane(lane, { store, clock, perProject, underWay }))
  const claimed = waiting.map((lane) =>
    createClaimedLane(lane, aheadOf(transport, perUnit), { claim, onClaimed: () => void pump() }),
  )
  const busy = new Set<Promise<void>>()
  const recording = new Set<Promise<void>>()
  /**
   * Messages that were ended, or claimed by another process, before their hand-over: no outcome is recorded for them.
   */
  const notToSend = new WeakSet<Email>()
  const stopping = new AbortController()
  /** The abort controllers of running calls. Calls that begin together share one, because each needs a timer. */
  const calls = new Set<AbortController>()
  let latest = { controller: new AbortController(), since: Number.NEGATIVE_INFINITY }
  let closing = false
  let started = 0
  let bulkBusy = 0
  /** How long the last call took, in ms. */
  let lastMs = Number.POSITIVE_INFINITY
  const mostBusy = (): number => (lastMs < quickMs ? concurrency + ahead : concurrency)
  /** Connections reserved for mail other than bulk mail. */
  const reserved = laneNumbers.length > 1 && concurrency >= 4 ? Math.max(1, concurrency >> 3) : 0
  const write = <T>(work: (unit: Unit) => Promise<T>): Promise<T> => store.write("instance", work, "delivery")
  const withinLease = createTimeLimit(realClock, leaseMs, () => new Error("It gave no receipt."), stopping.signal)
  const whenLate = createDeadlines(realClock, callMs, stopping.signal)
  const beginningOf = createBeginnings({ ...deps, write, perUnit, onRefused: (email) => notToSend.add(email) })
  const preparer = createPreparer(transport, deps, beginningOf)
  const record = createReceiptRecorder({ ...deps, write, stopping: stopping.signal, perUnit })

  let pumping: Promise<void> | undefined
  let again = false

  function pump(): Promise<void> {
    again = true
    pumping ??= fillAll()
    return pumping
  }

  /** Never rejects. */
  async function fillAll(): Promise<void> {
    try {
      while (again) {
        again = false
        await fill()
      }
    } catch (cause) {
      log.error("Waiting mail could not be handed over", { transport: transport.name, reason: reasonOf(cause) })
    }
    pumping = undefined
  }

  /** Fills the free connections. A hand-over that ends later pumps again. */
  async function fill(): Promise<void> {
    while (!closing && busy.size < mostBusy()) {
      const allowed = pace.available("", batch)
      const picked = allowed > 0 ? await pick(allowed) : undefined
      if (picked === undefined) return
      const { lane, emails } = picked
      pace.take("", emails.length)
      const bulk = lane === lanes.bulk
      if (bulk) bulkBusy++
      const began = realClock.now()
      const run = handOver(emails).finally(() => {
        lastMs = realClock.now() - began
        if (bulk) bulkBusy--
      })
      void keepTrack(busy, run, pump)
      started += emails.length
    }
  }

  async function pick(count: number): Promise<{ lane: Lane; emails: Email[] } | undefined> {
    const free = (mostBusy() - busy.size) * batch
    for (const claimedLane of claimed) {
      const { lane } = claimedLane
      if (!claimedLane.mayHaveMail || (lane === lanes.bulk && bulkBusy >= mostBusy() - reserved)) continue
      const emails = await claimedLane.take(count, Math.min(free, Math.max(batch, perUnit)))
      if (emails.length > 0) return { lane, emails }
    }
    return undefined
  }

  /** Never rejects: messages that cannot be claimed now are read again in the loop's next steps. */
  async function claim(lane: WaitingLane, count: number): Promise<Email[]> {
    if (isSendingPaused(store.folder)) return []
    let ids: string[] = []
    try {
      ids = await lane.next(count)
      if (ids.length === 0) return []
      for (const id of ids) underWay.add(id)
      const lease = { owner: store.node, ms: leaseMs }
      const begins = transport.repeatable !== true
      const emails = await write((unit) => claimer.claim(unit, { lane: lane.lane, ids, lease, begins }))
      const missed = new Set(ids)
      for (const { id } of emails) missed.delete(id)
      for (const id of missed) underWay.delete(id)
      preparer.renew()
      return emails
    } catch (cause) {
      for (const id of ids) underWay.delete(id)
      log.error("Messages could not be claimed", { transport: transport.name, reason: reasonOf(cause) })
      return []
    }
  }

  /** In groups that fit into memory together, for the messages of a batch may be large. */
  async function handOver(emails: readonly Email[]): Promise<void> {
    for (const group of await groupsBySize(emails, drafts.sizeOf)) await handOverGroup(group)
  }

  /**
   * Compose, send, record. It does not wait for the recording, because the connection is free for the next message.
   */
  async function handOverGroup(emails: readonly Email[]): Promise<void> {
    const settlements = await Promise.all(emails.map(preparer.prepare))
    const refused = settlements.flatMap(({ email, receipt }) => (receipt ? [{ email, receipt }] : []))
    for (const each of refused) settle(each)
    const unsettled = new Map(settlements.flatMap(({ email, message }) => (message ? [[message, email]] : [])))
    const messages = [...unsettled.keys()]
    if (messages.length === 0) return
    const tell: TellReceipt = (message, receipt) => {
      const email = unsettled.get(message)
      if (email && unsettled.delete(message)) settle({ email, receipt })
    }
    const receipts = await sendAll(messages, tell)
    for (const [at, message] of messages.entries()) tell(message, receipts[at] ?? unknownOutcome("No receipt."))
  }

  function settle(settled: Settled): void {
    const { email } = settled
    const receipt = preparer.receiptOf(settled)
    if (receipt.outcome === "sent") begun.accepted(email.id)
    // A rejected message stays begun until that is stored, because it must be neither sent again nor ended for another
    // reason.
    else if (receipt.outcome === "deferred" || receipt.outcome === "postponed") begun.retract(email.id)
    const recorded = async () => release(email.id, await record({ email, receipt }))
    if (notToSend.has(email)) release(email.id)
    else void keepTrack(recording, recorded())
  }

  /** A message that has begun stays so until its receipt is stored. */
  function release(id: string, isSettled = true): void {
    underWay.delete(id)
    if (isSettled) begun.end(id)
  }

  /** Does not wait longer than a lease for a transport: otherwise its connection would be lost permanently. */
  async function sendAll(messages: readonly Outgoing[], tell: TellReceipt): Promise<Receipt[]> {
    try {
      return await withinLease(transport.send(messages, signalOfCall(), tell))
    } catch (cause) {
      log.error("A transport failed", { transport: transport.name, reason: reasonOf(cause) })
      return messages.map(() => unknownOutcome("The transport failed."))
    }
  }

  /** Aborts when the process stops, and before the claim of what is handed over now ends. A call takes real time. */
  function signalOfCall(): AbortSignal {
    if (!isWithin(togetherMs, realClock.now(), latest.since)) {
      const controller = new AbortController()
      latest = { controller, since: realClock.now() }
      calls.add(controller)
      whenLate(() => {
        calls.delete(controller)
        controller.abort()
      })
      if (stopping.signal.aborted) controller.abort()
    }
    return latest.controller.signal
  }

  /** Releases claimed messages that have no connection yet. */
  async function releaseClaimed(): Promise<void> {
    const held = (await Promise.all(claimed.map((lane) => lane.close()))).flat()
    if (held.length === 0) return
    try {
      await write(async (unit) => {
        for (const email of held) await outcome.release(unit, email)
      })
    } catch (cause) {
      log.error("Claimed messages could not be released", { count: held.length, reason: reasonOf(cause) })
    }
    for (const { id } of held) release(id)
  }

  const settled = async (): Promise<void> => {
    const isIdle = () => busy.size === 0 && recording.size === 0 && pumping === undefined
    do await Promise.all([...busy, ...recording, pumping, ...claimed.map((lane) => lane.settled())])
    while (!isIdle())
  }

  async function settledWithin(ms: number): Promise<void> {
    const over = new AbortController()
    await Promise.race([settled(), clock.sleep(ms, over.signal)])
    over.abort()
  }

  return {
    lanes: waiting,
    transport,
    underWay,
    pump,
    get started() {
      return started
    },
    settled,
    async stop(graceMs) {
      closing = true
      await releaseClaimed()
      await settledWithin(graceMs)
      stopping.abort()
      for (const call of calls) call.abort()
      await settledWithin(afterAbortMs)
    },
  }
}

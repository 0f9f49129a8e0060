import type { Engine } from "../../engine.ts"
import { minute } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { reasonOf } from "../../kernel/log.ts"
import { compose } from "../../mail/compose.ts"
import { RenderFault, TemplateFault } from "../../mail/render/index.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  rejected,
  type Transport,
  unknownOutcome,
} from "../../mail/transport.ts"
import { isSendingPaused } from "../../store/sending-pause.ts"
import type { Sending } from "../domains/index.ts"
import type { ClaimMail } from "./claim.ts"
import type { Drafts } from "./drafts.ts"
import type { OutcomeRecorder } from "./outcome.ts"
import { type Lane, lanes, repeatsUnknown } from "./rules.ts"
import type { Email } from "./table.ts"
import { createThrottle, type Throttle } from "./throttle.ts"
import { createWaitingLane, type WaitingLane } from "./waiting.ts"

export interface TransportQueueDeps extends Pick<Engine, "store" | "clock" | "realClock" | "log"> {
  readonly drafts: Drafts
  /** The signer of mail from this address of a project, at this time (ms), if any. */
  readonly sendingOf: (email: Email) => Promise<Sending>
  readonly claim: ClaimMail
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
  pump(): Promise<number>
  /** Resolves when no hand-over is running. */
  settled(): Promise<void>
  /** Ids that this process is handing over. In memory, because other processes see the leases. */
  readonly underWay: ReadonlySet<string>
  /**
   * Starts no more, waits for running hand-overs, and after `graceMs` releases the messages that have not been handed
   * over.
   */
  stop(graceMs: number): Promise<void>
}

/** Longer than any hand-over takes: transports have time limits of their own. */
export const leaseMs = 10 * minute
const recordRetryMs = 1_000
/** How long a transport may take to settle after an abort, in ms. */
const afterAbortMs = 2_000

export function createTransportQueue(
  transport: Transport,
  laneNumbers: readonly (0 | 1 | 2)[],
  deps: TransportQueueDeps,
): TransportQueue {
  const { store, clock, realClock, log, drafts, sendingOf, claim, outcome, perProject } = deps
  const { batch, concurrency, perSecond = 0 } = transport.limits
  const pace = createThrottle(perSecond, realClock)
  const underWay = new Set<string>()
  const waiting = laneNumbers.map((lane) => createWaitingLane(lane, { store, clock, perProject, underWay }))
  const busy = new Set<Promise<void>>()
  const recording = new Set<Promise<void>>()
  const stopping = new AbortController()
  let closing = false
  let bulkBusy = 0
  /** Connections reserved for mail other than bulk mail. */
  const reserved = laneNumbers.length > 1 && concurrency >= 4 ? Math.max(1, concurrency >> 3) : 0

  let pumping: Promise<number> | undefined
  let again = false

  function pump(): Promise<number> {
    again = true
    pumping ??= fillAll()
    return pumping
  }

  /** Never rejects: messages that cannot be read now are read in the loop's next step. */
  async function fillAll(): Promise<number> {
    let started = 0
    try {
      while (again) {
        again = false
        started += await fill()
      }
    } catch (cause) {
      log.error("Waiting mail could not be read", { transport: transport.name, reason: reasonOf(cause) })
    }
    pumping = undefined
    return started
  }

  /** Fills the free connections. A hand-over that ends later pumps again. */
  async function fill(): Promise<number> {
    let started = 0
    while (!closing && busy.size < concurrency && !isSendingPaused(store.folder)) {
      const allowed = pace.available("", batch)
      const picked = allowed > 0 ? await pick(allowed) : undefined
      if (picked === undefined) break
      pace.take("", picked.ids.length)
      for (const id of picked.ids) underWay.add(id)
      const bulk = picked.lane === lanes.bulk
      if (bulk) bulkBusy++
      const run = handOver(picked.lane, picked.ids).finally(() => {
        if (bulk) bulkBusy--
      })
      void keepTrack(busy, run, pump)
      started += picked.ids.length
    }
    return started
  }

  async function pick(count: number): Promise<{ lane: Lane; ids: string[] } | undefined> {
    for (const lane of waiting) {
      if (lane.lane === lanes.bulk && bulkBusy >= concurrency - reserved) continue
      const ids = await lane.next(count)
      if (ids.length > 0) return { lane: lane.lane, ids }
    }
    return undefined
  }

  /**
   * Claim, compose, send, record. It does not wait for the recording, because the connection is free for the next
   * message.
   */
  async function handOver(lane: Lane, ids: readonly string[]): Promise<void> {
    const release = () => {
      for (const id of ids) underWay.delete(id)
    }
    try {
      const claimed = await store.write("instance", (unit) =>
        claim(unit, lane, ids, { owner: store.node, ms: leaseMs }),
      )
      const settlements = await Promise.all(claimed.map(prepareOne))
      const ready = settlements.flatMap(({ email, message }) => (message ? [{ email, message }] : []))
      const refused = settlements.flatMap(({ email, receipt }) => (receipt ? [{ email, receipt }] : []))
      const receipts = ready.length > 0 ? await sendAll(ready.map(({ message }) => message)) : []
      const sent = ready.map(({ email }, at) => ({ email, receipt: receipts[at] ?? unknownOutcome("No receipt.") }))
      void keepTrack(recording, record([...refused, ...sent]).finally(release))
    } catch (cause) {
      release()
      log.error("Messages could not be claimed", { transport: transport.name, reason: reasonOf(cause) })
      await clock.sleep(recordRetryMs, stopping.signal)
    }
  }

  async function prepareOne(email: Email): Promise<{ email: Email; message?: Outgoing; receipt?: Receipt }> {
    try {
      const content = await drafts.contentOf(email)
      if (content === undefined) return { email, receipt: rejected("The content of this message is gone.") }
      const { signer, envelopeFrom } = await sendingOf(email)
      const message = compose({ ...(await drafts.draft(email, content)), envelopeFrom }, signer)
      return { email, message: { ...message, begin: beginningOf(email) } }
    } catch (cause) {
      if (isRefusal(cause)) return { email, receipt: rejected(reasonOf(cause)) }
      log.error("A message could not be made", { email: email.id, reason: reasonOf(cause) })
      return { email, receipt: deferred("The message could not be made.") }
    }
  }

  /** The beginning is recorded only where an unknown outcome is final, because it costs a unit for each message. */
  function beginningOf(email: Email): Outgoing["begin"] {
    if (repeatsUnknown(email.lane)) return async () => {}
    let begun: Promise<void> | undefined
    return () => {
      begun ??= store.write(email.projectId, (unit) => outcome.begin(unit, email))
      return begun
    }
  }

  /** Does not wait longer than a lease for a transport: otherwise its connection would be lost permanently. */
  async function sendAll(messages: readonly Outgoing[]): Promise<Receipt[]> {
    const over = new AbortController()
    const silence = clock.sleep(leaseMs, over.signal).then(() => {
      throw new Error("It gave no receipt.")
    })
    try {
      return await Promise.race([transport.send(messages, stopping.signal), silence])
    } catch (cause) {
      log.error("A transport failed", { transport: transport.name, reason: reasonOf(cause) })
      return messages.map(() => unknownOutcome("The transport failed."))
    } finally {
      over.abort()
    }
  }

  /**
   * Stores a receipt, and repeats that while the store cannot be written, so that none is lost while this process runs.
   */
  async function record(settled: readonly { email: Email; receipt: Receipt }[]): Promise<void> {
    if (settled.length === 0) return
    for (;;) {
      try {
        return await store.write("instance", async (unit) => {
          for (const { email, receipt } of settled) {
            if (stopping.signal.aborted && receipt.outcome === "deferred") await outcome.release(unit, email)
            else await outcome.settle(unit, email, receipt)
          }
        })
      } catch (cause) {
        log.error("Receipts could not be stored yet", { count: settled.length, reason: reasonOf(cause) })
        if (stopping.signal.aborted) return
        await clock.sleep(recordRetryMs, stopping.signal)
      }
    }
  }

  const settled = async (): Promise<void> => {
    while (busy.size > 0 || recording.size > 0 || pumping) await Promise.all([...busy, ...recording, pumping])
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
    settled,
    async stop(graceMs) {
      closing = true
      await settledWithin(graceMs)
      stopping.abort()
      await settledWithin(afterAbortMs)
    },
  }
}

/** Whether the message itself is at fault, so that another attempt would end in the same way. */
const isRefusal = (cause: unknown): boolean =>
  (cause instanceof DomainError && cause.kind === "invalid") ||
  cause instanceof RenderFault ||
  cause instanceof TemplateFault

/** Holds a promise in the set until it has settled, then calls `then`. */
async function keepTrack(set: Set<Promise<void>>, work: Promise<void>, then: () => unknown = () => {}): Promise<void> {
  set.add(work)
  await work.finally(() => {
    set.delete(work)
    then()
  })
}

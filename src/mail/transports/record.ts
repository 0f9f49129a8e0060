import { type Clock, minute } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"
import { createMetrics, type Metrics } from "../../kernel/metrics.ts"
import type { Tracer } from "../../kernel/tracer.ts"
import type { Outgoing, Receipt, Transport } from "../transport.ts"
import { isLazy } from "./lazy-message.ts"

type OutcomeCounts = Readonly<Record<Receipt["outcome"], number>>

/** What a transport did in the last 60 minutes. */
interface TransportFigures extends OutcomeCounts {
  /** Messages per second that it settled in the last minute. */
  readonly perSecond: number
  /** The last receipt that was not `sent`, whenever that was; null when there was none. */
  readonly lastError: TransportError | null
  /**
   * Clock time of the first failure since it last worked; null when it works, undefined when nothing is known yet.
   * Refusals of single messages do not count as failures.
   */
  readonly failingSince: number | null | undefined
}

interface TransportError {
  /** Clock time. */
  readonly at: number
  readonly outcome: Exclude<Receipt["outcome"], "sent">
  readonly reason: string
}

export interface TransportRecord {
  read(): TransportFigures
  /** The transport was found to work without a message. */
  worked(name: string): void
  /** The transport, with its receipts counted. */
  kept(transport: Transport): Transport
}

interface Measuring {
  readonly metrics?: Metrics
  readonly tracer?: Tracer | undefined
  /** Is told when a transport begins to fail, and when it works again. */
  readonly log?: Log
}

const windowMinutes = 60
const deliveryBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Bucket {
  /** Which minute since the epoch it counts. */
  minute: number
  counts: Record<Receipt["outcome"], number>
}

const noCounts = (): Bucket["counts"] => ({ sent: 0, deferred: 0, rejected: 0, unknown: 0 })

/**
 * Counts receipts in one bucket per minute, so that its size does not depend on the amount of mail. In memory only,
 * because it shows the present state; the outcome of each message is in the ledger.
 */
export function createRecord(
  clock: Pick<Clock, "now">,
  { metrics = createMetrics(), tracer, log }: Measuring = {},
): TransportRecord {
  const outcomes = metrics.counter(
    "mailstead_transport_messages_total",
    "Messages handed to a transport, by what became of them.",
    ["transport", "outcome"],
  )
  const durations = metrics.histogram(
    "mailstead_delivery_duration_seconds",
    "Time of one hand-over to a transport, of one message or a batch.",
    deliveryBounds,
    ["transport"],
  )
  const buckets: Bucket[] = []
  let lastError: TransportError | null = null
  let failingSince: number | null | undefined
  /** Times of the last receipts, one entry a call. */
  let recent: { at: number; count: number }[] = []

  /** The buckets of the window that ends now; those of a time to come are dropped, for a clock may be set back. */
  function current(): Bucket[] {
    const now = Math.floor(clock.now() / minute)
    const kept = buckets.filter((bucket) => bucket.minute > now - windowMinutes && bucket.minute <= now)
    buckets.splice(0, buckets.length, ...kept)
    return buckets
  }

  /** @param now minutes since the epoch */
  function bucketOf(now: number): Bucket {
    const last = buckets.at(-1)
    if (last?.minute === now) return last
    const known = current().at(-1)
    if (known?.minute === now) return known
    const made = { minute: now, counts: noCounts() }
    buckets.push(made)
    return made
  }

  /** The log says once that it fails, and once that it works again. */
  function fails(name: string, since: number | null | undefined, reason?: string): void {
    if (since && !failingSince) log?.warn(`transport ${name} does not work`, { reason })
    if (failingSince && !since) log?.info(`transport ${name} works again`)
    failingSince = since
  }

  function count(name: string, receipts: readonly Receipt[]): void {
    const at = clock.now()
    let since = failingSince
    const bucket = bucketOf(Math.floor(at / minute))
    for (const receipt of receipts) {
      bucket.counts[receipt.outcome]++
      outcomes.of(name, receipt.outcome).add()
      if (isFailure(receipt)) since ??= at
      else if (receipt.outcome !== "deferred") since = null
      if (receipt.outcome !== "sent") lastError = { at, outcome: receipt.outcome, reason: receipt.reason }
    }
    fails(name, since, receipts.find(isFailure)?.reason)
    const second = Math.floor(at / 1_000)
    const last = recent.at(-1)
    if (last?.at === second) last.count += receipts.length
    else recent = [...recentOnly(second), { at: second, count: receipts.length }]
  }

  function trace(name: string, receipts: readonly Receipt[], ms: number): void {
    if (tracer === undefined) return
    const end = clock.now()
    const failed = receipts.some(isFailure)
    const attributes = { "mailstead.transport": name, "mailstead.messages": receipts.length }
    tracer.record({ name: "deliver", kind: "client", start: end - ms, end, failed, attributes })
  }

  /** At most one entry for each second of the last minute. */
  const recentOnly = (second: number) => recent.filter(({ at }) => at > second - 60 && at <= second)

  return {
    read() {
      const total = noCounts()
      for (const { counts } of current()) {
        for (const outcome of Object.keys(total) as Receipt["outcome"][]) total[outcome] += counts[outcome]
      }
      const settled = recentOnly(Math.floor(clock.now() / 1_000)).reduce((sum, each) => sum + each.count, 0)
      return { ...total, perSecond: Math.round((settled / 60) * 100) / 100, lastError, failingSince }
    },
    worked: (name) => fails(name, null),
    kept(transport) {
      // A rate misses the first of a series that appears with it, so all are there with 0.
      for (const outcome of Object.keys(noCounts())) outcomes.of(transport.name, outcome)
      durations.of(transport.name)
      return {
        ...transport,
        async send(messages, abort) {
          const began = performance.now()
          const receipts = await transport.send(messages, abort)
          // Messages that were not tried because the process is stopping do not count.
          if (abort.aborted) return receipts
          const own = receipts.filter((receipt, at) => !isLost(messages[at]) && !isWithheld(receipt))
          if (own.length === 0) return receipts
          durations.of(transport.name).observe((performance.now() - began) / 1_000)
          count(transport.name, own)
          trace(transport.name, own, performance.now() - began)
          return receipts
        },
      }
    },
  }
}

/** A message that could not be composed was never handed to the transport. */
const isLost = (message: Outgoing | undefined): boolean => message !== undefined && isLazy(message) && message.isLost

const isWithheld = (receipt: Receipt): boolean => receipt.outcome === "deferred" && receipt.withheld === true

type Failure = Receipt & ({ outcome: "unknown" } | { outcome: "deferred"; unreachable: true })

const isFailure = (receipt: Receipt): receipt is Failure =>
  receipt.outcome === "unknown" || (receipt.outcome === "deferred" && receipt.unreachable === true)

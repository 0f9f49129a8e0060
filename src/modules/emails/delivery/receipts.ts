import type { Engine } from "../../../engine.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { createUnitBatches } from "../../../store/unit-batches.ts"
import type { Unit } from "../../../store/writer.ts"
import type { OutcomeRecorder, Settled } from "../outcome/outcome.ts"
import { laneNameOf, laneNames, lanes } from "../rules.ts"

interface ReceiptDeps extends Pick<Engine, "clock" | "log" | "metrics"> {
  readonly outcome: OutcomeRecorder
  readonly write: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>
  /** Fires when the process stops: messages that were not handed over are then released instead of deferred. */
  readonly stopping: AbortSignal
  /** The most receipts of one unit. */
  readonly perUnit: number
}

const retryMs = 1_000
/** How long receipts of bulk mail wait for others, in ms, because each unit is a commit and nobody waits for them. */
const batchDelayMs = 10
const waitBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800, 3_600, 14_400, 86_400]

/**
 * Stores a receipt, and repeats that while the store cannot be written, so that none is lost while this process runs: first
 * together with others, then alone, because one that cannot be stored must not affect the others. Resolves to whether it is
 * stored: not when the process stops before. Never rejects.
 */
export function createReceiptRecorder({ clock, log, metrics, outcome, write, stopping, perUnit }: ReceiptDeps) {
  const waits = metrics.histogram(
    "mailstead_delivery_wait_seconds",
    "Time from when a message was due until a transport has taken it.",
    waitBounds,
    ["lane"],
  )
  for (const lane of laneNames) waits.of(lane)

  async function apply(unit: Unit, settled: readonly Settled[]): Promise<void> {
    const isUnsent = ({ receipt }: Settled) => stopping.aborted && receipt.outcome === "deferred"
    for (const each of settled) if (isUnsent(each)) await outcome.release(unit, each.email)
    await outcome.settle(
      unit,
      settled.filter((each) => !isUnsent(each)),
    )
  }

  const recordTogether = createUnitBatches(
    write,
    perUnit,
    async (unit, settled: readonly Settled[]) => {
      await apply(unit, settled)
      return []
    },
    { mayWait: ({ email }) => email.lane === lanes.bulk && !stopping.aborted, wait: () => Bun.sleep(batchDelayMs) },
  )

  async function recordAlone(settled: Settled): Promise<boolean> {
    for (;;) {
      try {
        await write((unit) => apply(unit, [settled]))
        return true
      } catch (cause) {
        log.error("A receipt could not be stored yet", { email: settled.email.id, reason: reasonOf(cause) })
        if (stopping.aborted) return false
        await clock.sleep(retryMs, stopping)
      }
    }
  }

  return async (settled: Settled): Promise<boolean> => {
    const { email, receipt } = settled
    if (receipt.outcome === "sent")
      waits.of(laneNameOf(email.lane)).observe(Math.max(0, clock.now() - email.dueAt) / 1_000)
    try {
      await recordTogether(settled)
      return true
    } catch {
      return recordAlone(settled)
    }
  }
}

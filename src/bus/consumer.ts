import type { Clock } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import type { Store } from "../store/store.ts"
import { isUnavailable } from "../store/writer.ts"
import {
  createCursor,
  firstSignalReader,
  getCursor,
  headOfLog,
  holdCursor,
  moveCursor,
  parkSignal,
  signalReader,
} from "./log.ts"
import type { Signal } from "./signal.ts"
import type { Subscriber } from "./subscriber.ts"

export interface Consumer {
  readonly name: string
  /** The names of the signals that it handles. */
  readonly names: readonly string[]
  readonly atOnce: number
  readonly batchDelayMs: number
  readonly longestDelayMs: number
  open(): Promise<void>
  /**
   * Handles one batch; resolves to the number of signals that the cursor has passed, 0 when there is nothing to do now.
   */
  catchUp(): Promise<number>
  /** When the first signal that it has not handled was emitted; undefined when it has handled all. */
  behindSince(): Promise<number | undefined>
  /** Moves an idle cursor to the end of the log, so that signals of other subscribers can be pruned. */
  skipSilence(): Promise<void>
}

const batchSize = 200
const failuresUntilParked = 5
const retryDelayMs = (failures: number) => 200 * 4 ** (failures - 1)
export const longestRetryDelayMs = retryDelayMs(failuresUntilParked - 1)

export function createConsumer(
  subscriber: Subscriber,
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
): Consumer {
  const { name, atOnce = batchSize, batchDelayMs = 0, longestDelayMs = batchDelayMs } = subscriber
  const names = subscriber.on.map((kind) => kind.name)
  const listSignals = signalReader(names)
  const firstAfter = firstSignalReader(names)
  // No signal up to here concerns this subscriber. Its cursor moves with its own signals only, so reading from the
  // cursor would scan the signals of others again each time. In memory, because a lower value is always valid.
  let nothingUntil = 0

  async function handle(signals: readonly Signal[]): Promise<void> {
    await store.write("instance", async (unit) => {
      await subscriber.handle(signals, unit)
      await moveCursor(unit, name, signals.at(-1)?.seq ?? 0)
    })
  }

  /**
   * Handles a single signal. Resolves to whether the cursor has passed it: handled, or skipped after too many failures.
   */
  async function handleOne(signal: Signal, failures: number): Promise<boolean> {
    try {
      await handle([signal])
      return true
    } catch (cause) {
      if (isUnavailable(cause)) throw cause
      if (await subscriber.settle?.(cause)) return handleOne(signal, failures)
      const parked = failures + 1 >= failuresUntilParked
      const fields = { subscriber: name, signal: signal.name, seq: signal.seq, reason: reasonOf(cause) }
      await store.write("instance", async (unit) => {
        if (!parked) return holdCursor(unit, name, failures + 1, unit.now + retryDelayMs(failures + 1))
        await parkSignal(unit, name, signal, reasonOf(cause))
        await moveCursor(unit, name, signal.seq)
      })
      if (parked) log.error("A signal keeps failing and was parked", fields)
      else log.warn("A signal could not be handled and will be tried again", fields)
      return parked
    }
  }

  return {
    name,
    names,
    atOnce,
    batchDelayMs,
    longestDelayMs,
    open: () => store.write("instance", (unit) => createCursor(unit, name)),
    async catchUp() {
      const cursor = await getCursor(store.read, name)
      if (cursor.retryAt > clock.now()) return 0
      const head = await headOfLog(store.read)
      const after = Math.max(cursor.seq, nothingUntil)
      const signals = await listSignals(store.read, after, cursor.failures > 0 ? 1 : atOnce)
      if (signals.length === 0) {
        nothingUntil = head
        return 0
      }
      if (signals.length > 1)
        try {
          await handle(signals)
          return signals.length
        } catch (cause) {
          if (isUnavailable(cause)) throw cause
        }
      // One of them fails: find it by handling them one at a time.
      let handled = 0
      for (const signal of signals) {
        if (!(await handleOne(signal, handled === 0 ? cursor.failures : 0))) break
        handled++
      }
      return handled
    },
    behindSince: async () => firstAfter(store.read, Math.max((await getCursor(store.read, name)).seq, nothingUntil)),
    async skipSilence() {
      const head = await headOfLog(store.read)
      await store.write("instance", async (unit) => {
        const cursor = await getCursor(unit.db, name)
        const pending = await listSignals(unit.db, cursor.seq, 1)
        if (pending.length === 0 && cursor.seq < head) await moveCursor(unit, name, head)
      })
    },
  }
}

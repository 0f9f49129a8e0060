import { asc } from "drizzle-orm"
import { type Bus, createBus, type Subscriber } from "../../src/bus/bus.ts"
import { defineSignal, type Signal, type SignalKind } from "../../src/bus/signal.ts"
import { parkedSignalTable, signalTable } from "../../src/bus/table.ts"
import type { Store } from "../../src/store/store.ts"
import type { Unit } from "../../src/store/writer.ts"
import { type LogRecord, recordingLog, type TestStore } from "./store.ts"

interface Numbered {
  readonly number: number
}

export const grown = defineSignal<Numbered>("plant.grown")
export const cut = defineSignal<Numbered>("plant.cut")

const numberOf = (signal: Signal): number => (signal.payload as Numbered).number

/** A subscriber that is given the numbers of its signals. */
export const listener = (
  name: string,
  handle: (numbers: number[], unit: Unit) => Promise<void> | void,
  on: readonly SignalKind<Numbered>[] = [grown],
): Subscriber => ({
  name,
  on: on as readonly SignalKind<unknown>[],
  handle: async (signals, unit) => handle(signals.map(numberOf), unit),
})

interface TestBus {
  readonly bus: Bus
  readonly records: LogRecord[]
  /** Emits a signal for each number, all in one unit. */
  emit(kind: SignalKind<Numbered>, ...numbers: number[]): Promise<void>
}

/** The bus of a process that starts on this store. */
export async function startBus(
  store: TestStore,
  subscribers: readonly Subscriber[],
  through: Store = store,
): Promise<TestBus> {
  const { log, records } = recordingLog()
  const bus = createBus({ store: through, clock: store.clock, log })
  bus.subscribe(subscribers)
  await bus.open()
  return {
    bus,
    records,
    emit: (kind, ...numbers) =>
      store.write("instance", async (unit) => {
        for (const number of numbers) await bus.emit(unit, kind, "p", { number })
      }),
  }
}

export const storedSignals = async (store: Store): Promise<number[]> =>
  (await store.read.select().from(signalTable).orderBy(asc(signalTable.seq))).map(numberOf)

export const parkedSignals = (store: Store) => store.read.select().from(parkedSignalTable)

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

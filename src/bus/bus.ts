import { type Clock, earliest } from "../kernel/clock.ts"
import type { Log } from "../kernel/log.ts"
import { createLoop, type Loop } from "../kernel/loop.ts"
import type { ClockCorrection } from "../store/clock-correction.ts"
import type { Db } from "../store/database.ts"
import { createPoll } from "../store/poll.ts"
import { type EachSlice, eachSlice } from "../store/slices.ts"
import type { Store } from "../store/store.ts"
import type { Unit } from "../store/writer.ts"
import { type Consumer, createConsumer, longestRetryDelayMs } from "./consumer.ts"
import {
  appendSignal,
  correctHolds,
  countParked,
  deleteSignalsBehind,
  getCursor,
  headOfLog,
  listCursors,
  timeOfNext,
} from "./log.ts"
import { createRounds } from "./rounds.ts"
import type { Signal, SignalKind } from "./signal.ts"
import type { Subscriber } from "./subscriber.ts"

export type { Subscriber } from "./subscriber.ts"

export interface Bus {
  /** Appends to the log in the unit of the change. Signals without a subscriber are not stored. */
  emit<P>(unit: Unit, kind: SignalKind<P>, projectId: string, payload: P): Promise<void>
  /** Calls the listener after the commit, without a cursor: for live views, which may miss signals. */
  watch<P>(kind: SignalKind<P>, listener: (signal: Omit<Signal<P>, "seq">) => void): () => void
  subscribe(subscribers: readonly Subscriber[]): void
  /** Gives every new subscriber its cursor, at the end of the log. Called once, before the first drain. */
  open(): Promise<void>
  /** Lets every subscriber catch up; resolves to the number of signals handled. */
  drain(): Promise<number>
  /**
   * When the oldest signal of a kind that the subscriber has not handled was emitted; undefined when it has handled
   * all.
   */
  pendingSince(db: Db, subscriber: string, kind: SignalKind<unknown>): Promise<number | undefined>
  /** For each subscriber how old its oldest unhandled signal is, in ms; 0 when it has handled all. */
  lags(): Promise<ReadonlyMap<string, number>>
  /** The number of signals that were given up for a subscriber. */
  countParked(): Promise<number>
  /** When the next failed signal is retried, in ms; undefined when none has failed. */
  nextDueAt(): Promise<number | undefined>
  /** Deletes the signals that all subscribers have handled. */
  prune(each?: EachSlice): Promise<void>
  readonly clockCorrections: readonly ClockCorrection[]
  readonly loop: Loop
}

type Listener = (signal: Omit<Signal, "seq">) => void

export function createBus({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Bus {
  // Subscribers are in memory because they never change after the composition; watchers concern only this process.
  const consumers: Consumer[] = []
  const wanted = new Map<string, Subscriber[]>()
  const watchers = new Map<string, Set<Listener>>()
  const rounds = createRounds(consumers, {
    clock,
    poll: createPoll({ store, clock }, nextDueAt),
    wake: () => loop.wake(),
  })
  const loop = createLoop({ clock, log, name: "bus", idleMs: 1_000, batchDelayMs: 5, step: rounds.step })

  async function nextDueAt(): Promise<number | undefined> {
    const names = new Set(consumers.map((consumer) => consumer.name))
    const held = (await listCursors(store.read)).filter(
      ({ subscriber, failures }) => failures > 0 && names.has(subscriber),
    )
    return earliest(held.map(({ retryAt }) => retryAt))
  }

  /** There is one row for each subscriber, so one unit corrects all. */
  const correctRetries: ClockCorrection = async (unit) => {
    await correctHolds(unit, longestRetryDelayMs)
    return 0
  }

  return {
    loop,
    clockCorrections: [correctRetries],
    drain: rounds.drain,
    nextDueAt,
    async emit(unit, kind, projectId, payload) {
      const listeners = watchers.get(kind.name)
      if (listeners !== undefined && listeners.size > 0) {
        const signal = { name: kind.name, projectId, payload, createdAt: unit.now }
        for (const listener of listeners) unit.afterCommit(() => listener(signal))
      }
      const matters = wanted.get(kind.name)?.some(({ concerns }) => concerns?.(projectId, payload, kind.name) ?? true)
      if (!matters) return
      await appendSignal(unit, kind.name, projectId, payload)
      unit.afterCommit(() => rounds.emitted(kind.name))
    },
    watch(kind, listener) {
      const listeners = watchers.get(kind.name) ?? new Set<Listener>()
      watchers.set(kind.name, listeners)
      listeners.add(listener as Listener)
      return () => listeners.delete(listener as Listener)
    },
    subscribe(subscribers) {
      for (const subscriber of subscribers) {
        consumers.push(createConsumer(subscriber, { store, clock, log }))
        for (const { name } of subscriber.on) wanted.set(name, [...(wanted.get(name) ?? []), subscriber])
      }
    },
    async open() {
      await Promise.all(consumers.map((consumer) => consumer.open()))
    },
    pendingSince: async (db, subscriber, { name }) => timeOfNext(db, name, (await getCursor(db, subscriber)).seq),
    async lags() {
      const now = clock.now()
      const lags = new Map<string, number>()
      for (const consumer of consumers)
        lags.set(consumer.name, Math.max(0, now - ((await consumer.behindSince()) ?? now)))
      return lags
    },
    countParked: () => countParked(store.read),
    async prune(each = eachSlice(store)) {
      const names = consumers.map((consumer) => consumer.name)
      for (const consumer of consumers) await consumer.skipSilence()
      const cursors = (await listCursors(store.read)).filter((cursor) => names.includes(cursor.subscriber))
      const lowest = cursors.length > 0 ? Math.min(...cursors.map((cursor) => cursor.seq)) : await headOfLog(store.read)
      await each((unit, limit) => deleteSignalsBehind(unit, lowest, limit))
    },
  }
}

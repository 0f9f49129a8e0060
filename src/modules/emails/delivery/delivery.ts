import type { Engine } from "../../../engine.ts"
import { earliest, isWithin } from "../../../kernel/clock.ts"
import { createLoop, type Loop } from "../../../kernel/loop.ts"
import type { Transports } from "../../../mail/transports.ts"
import { createPoll } from "../../../store/poll.ts"
import { listStranded, nextDueAt, nextLapseAt } from "../ledger.ts"
import { type Lane, lanes } from "../rules.ts"
import { createTransportQueue, type TransportQueue, type TransportQueueDeps } from "./transport-queue.ts"

interface Delivery {
  /** Reports new mail of a project in a lane. */
  wake(lane: Lane, projectId: string): void
  /** Resolves the unfinished hand-overs of a dead process. Called once, before the first hand-over. */
  open(): Promise<void>
  /** Hands over all mail that may be sent now and waits for it; resolves to the number of messages. */
  drain(): Promise<number>
  /** When the next waiting mail is due, in ms; undefined when none waits. */
  nextDueAt(): Promise<number | undefined>
  readonly loop: Loop
  stop(graceMs: number): Promise<void>
}

const sliceSize = 200
/** How often the ledger is read when no change is reported, in ms. */
const pollMs = 1_000

/**
 * Delivers mail from the ledger to the transports: lanes in order of priority, each message claimed before its
 * hand-over.
 */
export function createDelivery(
  engine: Pick<Engine, "store" | "clock" | "realClock" | "log">,
  transports: Pick<Transports, "transactional" | "bulk">,
  deps: TransportQueueDeps,
): Delivery {
  const { store, clock, realClock, log } = engine
  const queues: TransportQueue[] =
    transports.bulk === transports.transactional
      ? [createTransportQueue(transports.transactional, [lanes.transactional, lanes.workflow, lanes.bulk], deps)]
      : [
          createTransportQueue(transports.transactional, [lanes.transactional, lanes.workflow], deps),
          createTransportQueue(transports.bulk, [lanes.bulk], deps),
        ]
  const loop = createLoop({ clock, log, name: "delivery", idleMs: pollMs, step })
  const waitingLanes = queues.flatMap((queue) => queue.lanes)
  let polledAt = 0
  const poll = createPoll(engine, async () => earliest([await nextDueAt(store.read), await nextLapseAt(store.read)]))

  /** The loop's step: starts hand-overs that are due. Retries become due and limits refill without a wake-up. */
  async function step(): Promise<void> {
    if (!isWithin(pollMs, realClock.now(), polledAt)) {
      polledAt = realClock.now()
      await poll(async () => {
        for (const waiting of waitingLanes) waiting.wake()
        await settleStranded()
      })
    }
    for (const queue of queues) await queue.pump()
  }

  /** `starting` is this node, whose leases are those of the previous process. */
  async function settleStranded(starting?: string): Promise<void> {
    for (;;) {
      const found = await listStranded(store.read, clock.now(), sliceSize, starting)
      const left = found.filter(({ id }) => !queues.some((queue) => queue.underWay.has(id)))
      if (left.length === 0) return
      log.warn("Messages whose hand-over was interrupted are settled", { count: left.length })
      await store.write("instance", async (unit) => {
        for (const email of left) await deps.outcome.resume(unit, email)
      })
    }
  }

  return {
    loop,
    wake(lane, projectId) {
      for (const waiting of waitingLanes) if (waiting.lane === lane) waiting.wake(projectId)
      loop.wake()
    },
    async open() {
      await settleStranded(store.node)
      deps.begun.open()
    },
    async drain() {
      let handled = 0
      for (let round = -1; round !== 0; handled += round) {
        round = 0
        for (const waiting of waitingLanes) waiting.wake()
        for (const queue of queues) {
          const before = queue.started
          await queue.pump()
          await queue.settled()
          round += queue.started - before
        }
      }
      return handled
    },
    nextDueAt: () => nextDueAt(store.read),
    async stop(graceMs) {
      await loop.stop()
      await Promise.all(queues.map((queue) => queue.stop(graceMs)))
      deps.begun.close()
    },
  }
}

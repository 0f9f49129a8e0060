import type { Engine } from "../../engine.ts"
import { createLoop, type Loop } from "../../kernel/loop.ts"
import type { Transport } from "../../mail/transport.ts"
import { listStranded } from "./ledger.ts"
import { type Lane, lanes } from "./rules.ts"
import { createTransportQueue, type TransportQueue, type TransportQueueDeps } from "./transport-queue.ts"

/** The transports out: bulk mail may have one of its own. */
export interface Ways {
  readonly transactional: Transport
  readonly bulk: Transport
}

export interface Delivery {
  /** New mail is in a lane. */
  wake(lane: Lane): void
  /** Settles what a dead process left under way. Called once, before the first hand-over. */
  open(): Promise<void>
  /** Hands over all that may go now and waits for it; resolves to the number of messages. */
  drain(): Promise<number>
  readonly loop: Loop
  stop(graceMs: number): Promise<void>
}

const sliceSize = 200
/** How often the ledger is looked at when nothing is said to have changed, in ms. */
const lookEveryMs = 1_000

/** Takes mail from the ledger to the transports (design 6): lanes in order of priority, claimed before anybody dials. */
export function createDelivery(
  engine: Pick<Engine, "store" | "clock" | "log">,
  transports: Ways,
  parts: TransportQueueDeps,
): Delivery {
  const { store, clock, log } = engine
  const queues: TransportQueue[] =
    transports.bulk === transports.transactional
      ? [createTransportQueue(transports.transactional, [lanes.transactional, lanes.workflow, lanes.bulk], parts)]
      : [
          createTransportQueue(transports.transactional, [lanes.transactional, lanes.workflow], parts),
          createTransportQueue(transports.bulk, [lanes.bulk], parts),
        ]
  const loop = createLoop({ clock, log, name: "delivery", idleMs: lookEveryMs, step })
  const waitingLanes = queues.flatMap((queue) => queue.lanes)
  let lookedAt = 0

  /** The loop's step: starts what may go. Retries fall due and limits refill without anybody saying so. */
  async function step(): Promise<void> {
    // In both directions, for a clock may be set back.
    if (Math.abs(clock.now() - lookedAt) >= lookEveryMs) {
      lookedAt = clock.now()
      for (const line of waitingLanes) line.wake()
      await settleStranded()
    }
    for (const queue of queues) await queue.pump()
  }

  /** `starting` is this node, whose leases are those of the process before this one. */
  async function settleStranded(starting?: string): Promise<void> {
    for (;;) {
      const found = await listStranded(store.read, clock.now(), sliceSize, starting)
      const left = found.filter(({ id }) => !queues.some((queue) => queue.underWay.has(id)))
      if (left.length === 0) return
      log.warn("Messages whose hand-over was interrupted are settled", { count: left.length })
      await store.write("instance", async (unit) => {
        for (const email of left) await parts.outcome.resume(unit, email)
      })
    }
  }

  return {
    loop,
    wake(lane) {
      for (const line of waitingLanes) if (line.lane === lane) line.wake()
      loop.wake()
    },
    open: () => settleStranded(store.node),
    async drain() {
      let handled = 0
      for (let round = -1; round !== 0; handled += round) {
        round = 0
        for (const line of waitingLanes) line.wake()
        for (const queue of queues) {
          round += await queue.pump()
          await queue.settled()
        }
      }
      return handled
    },
    async stop(graceMs) {
      await loop.stop()
      await Promise.all(queues.map((queue) => queue.stop(graceMs)))
    },
  }
}

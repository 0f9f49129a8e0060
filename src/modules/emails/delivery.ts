import type { Engine } from "../../engine.ts"
import { createLoop, type Loop } from "../../kernel/loop.ts"
import type { Transport } from "../../mail/transport.ts"
import { listStranded } from "./ledger.ts"
import { createOutlet, type Outlet, type OutletParts } from "./outlet.ts"
import { type Lane, lanes } from "./rules.ts"

/** The ways out: bulk mail may have one of its own. */
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
  ways: Ways,
  parts: OutletParts,
): Delivery {
  const { store, clock, log } = engine
  const outlets: Outlet[] =
    ways.bulk === ways.transactional
      ? [createOutlet(ways.transactional, [lanes.transactional, lanes.workflow, lanes.bulk], parts)]
      : [
          createOutlet(ways.transactional, [lanes.transactional, lanes.workflow], parts),
          createOutlet(ways.bulk, [lanes.bulk], parts),
        ]
  const loop = createLoop({ clock, log, name: "delivery", idleMs: lookEveryMs, step })
  const waitingLanes = outlets.flatMap((outlet) => outlet.lanes)
  let lookedAt = 0

  /** The loop's step: starts what may go. Retries fall due and limits refill without anybody saying so. */
  async function step(): Promise<void> {
    // In both directions, for a clock may be set back.
    if (Math.abs(clock.now() - lookedAt) >= lookEveryMs) {
      lookedAt = clock.now()
      for (const line of waitingLanes) line.wake()
      await settleStranded(clock.now())
    }
    for (const outlet of outlets) await outlet.pump()
  }

  async function settleStranded(before: number): Promise<void> {
    for (;;) {
      const found = await listStranded(store.read, before, sliceSize)
      const left = found.filter(({ id }) => !outlets.some((outlet) => outlet.underWay.has(id)))
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
    open: () => settleStranded(Number.MAX_SAFE_INTEGER),
    async drain() {
      let handled = 0
      for (let round = -1; round !== 0; handled += round) {
        round = 0
        for (const line of waitingLanes) line.wake()
        for (const outlet of outlets) {
          round += await outlet.pump()
          await outlet.settled()
        }
      }
      return handled
    },
    async stop(graceMs) {
      await loop.stop()
      await Promise.all(outlets.map((outlet) => outlet.stop(graceMs)))
    },
  }
}

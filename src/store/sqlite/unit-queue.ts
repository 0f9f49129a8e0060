import type { Unit, WriteLane } from "../writer.ts"

export interface Waiting {
  readonly lane: WriteLane
  readonly work: (unit: Unit) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
}

/** The units that wait for a transaction, in the order of their arrival within each lane. */
interface UnitQueue {
  readonly length: number
  /** Whether a unit of this lane waits. */
  has(lane: WriteLane): boolean
  add(waiting: Waiting): void
  /** Removes up to `most` units: one of each lane in turn, those of the delivery first; or only those. */
  take(most: number, withRequests: boolean): Waiting[]
  /** Returns units that were taken and not run to the front, in the order in which they were taken. */
  putBack(waiting: readonly Waiting[]): void
}

export function createUnitQueue(): UnitQueue {
  let lanes: Record<WriteLane, Waiting[]> = { delivery: [], requests: [] }
  return {
    get length() {
      return lanes.delivery.length + lanes.requests.length
    },
    has: (lane) => lanes[lane].length > 0,
    add(waiting) {
      lanes[waiting.lane].push(waiting)
    },
    take(most, withRequests) {
      const { delivery } = lanes
      const requests = withRequests ? lanes.requests : []
      const taken: Waiting[] = []
      let [deliveries, others] = [0, 0]
      while (taken.length < most && (deliveries < delivery.length || others < requests.length)) {
        if (deliveries < delivery.length) taken.push(delivery[deliveries++] as Waiting)
        if (others < requests.length && taken.length < most) taken.push(requests[others++] as Waiting)
      }
      lanes = { delivery: delivery.slice(deliveries), requests: lanes.requests.slice(others) }
      return taken
    },
    putBack(waiting) {
      const of = (lane: WriteLane) => [...waiting.filter((each) => each.lane === lane), ...lanes[lane]]
      lanes = { delivery: of("delivery"), requests: of("requests") }
    },
  }
}

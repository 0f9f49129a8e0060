import { memoryBudget } from "../kernel/memory-budget.ts"

/** Accounts for the memory of request bodies, with a limit for all clients together and a share for each. */
interface BodyMemory {
  /**
   * Sets the number of bytes that a request holds, unless that exceeds the share of the client or the total; then
   * nothing changes.
   */
  hold(request: Request, bytes: number): "held" | "over share" | "over limit"
  release(request: Request): void
}

/** The share that one client may hold in addition to its largest body. */
const share = 1 / 8

interface Held {
  readonly bodies: Map<Request, number>
  /** Of all of them. */
  bytes: number
}

export function createBodyMemory(limit: number, clientOf: (request: Request) => string): BodyMemory {
  const memory = memoryBudget(limit)
  const clients = new Map<string, Held>()

  /** Whether a client would exceed its share with this total, of which one body has `bytes`. */
  const isTooMuch = (all: number, bytes: number, bodies: ReadonlyMap<Request, number>): boolean =>
    all > limit * share && all - Math.max(bytes, ...bodies.values()) > limit * share

  return {
    hold(request, bytes) {
      const client = clientOf(request)
      const held = clients.get(client) ?? { bodies: new Map(), bytes: 0 }
      const more = bytes - (held.bodies.get(request) ?? 0)
      if (isTooMuch(held.bytes + more, bytes, held.bodies)) return "over share"
      if (!memory.take(more)) return "over limit"
      held.bodies.set(request, bytes)
      held.bytes += more
      clients.set(client, held)
      return "held"
    },
    release(request) {
      const client = clientOf(request)
      const held = clients.get(client)
      const bytes = held?.bodies.get(request)
      if (held === undefined || bytes === undefined) return
      held.bodies.delete(request)
      held.bytes -= bytes
      if (held.bodies.size === 0) clients.delete(client)
      memory.release(bytes)
    },
  }
}

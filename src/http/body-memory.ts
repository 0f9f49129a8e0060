import { memoryBudget } from "../kernel/memory-budget.ts"

/** The memory that the bodies of requests hold, within one limit for all clients and a share of it for each. */
export interface BodyMemory {
  /**
   * The request holds so many bytes from now on. When there is no place for them, in the share of the client or in all of
   * the memory, it holds what it held.
   */
  hold(request: Request, bytes: number): "held" | "over share" | "over limit"
  release(request: Request): void
}

/** Of the memory, what one client may hold beside its largest body, which may be as large as bodies are. */
const share = 1 / 8

interface Held {
  readonly bodies: Map<Request, number>
  /** Of all of them. */
  bytes: number
}

export function createBodyMemory(limit: number, clientOf: (request: Request) => string): BodyMemory {
  const memory = memoryBudget(limit)
  const clients = new Map<string, Held>()

  /** Whether a client would have more than it may, with so many bytes in all, of which one body has `bytes`. */
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

import { memoryBudget } from "../kernel/memory-budget.ts"

/** The memory that the bodies of requests hold, within one limit for all clients and a share of it for each. */
export interface BodyMemory {
  /** The request holds so many bytes from now on. False when there is no place for them; then it holds what it held. */
  hold(request: Request, bytes: number): boolean
  release(request: Request): void
}

/** Of the memory, what one client may hold beside its largest body, which may be as large as bodies are. */
const share = 1 / 8

export function createBodyMemory(limit: number, clientOf: (request: Request) => string): BodyMemory {
  const memory = memoryBudget(limit)
  const clients = new Map<string, Map<Request, number>>()

  /** Whether these are more than a client may have. */
  function isTooMuch(bodies: ReadonlyMap<Request, number>): boolean {
    let [all, largest] = [0, 0]
    for (const bytes of bodies.values()) {
      all += bytes
      largest = Math.max(largest, bytes)
    }
    return all - largest > limit * share
  }

  return {
    hold(request, bytes) {
      const client = clientOf(request)
      const held = clients.get(client) ?? new Map<Request, number>()
      const before = held.get(request) ?? 0
      if (isTooMuch(new Map(held).set(request, bytes)) || !memory.take(bytes - before)) return false
      clients.set(client, held.set(request, bytes))
      return true
    },
    release(request) {
      const client = clientOf(request)
      const held = clients.get(client)
      const bytes = held?.get(request)
      if (held === undefined || bytes === undefined) return
      held.delete(request)
      if (held.size === 0) clients.delete(client)
      memory.release(bytes)
    },
  }
}

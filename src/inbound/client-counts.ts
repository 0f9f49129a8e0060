import { networkOf } from "../kernel/network-of.ts"

/** A connection that is counted for its address until `leave`. */
export interface CountedClient {
  /** Connections of the address when this one came, itself included. */
  readonly count: number
  /** May be called more than once. */
  leave(): void
}

/** Counts open connections by client address, so that one client cannot use up the capacity. */
export interface ClientCounts {
  enter(address: string): CountedClient
}

export function createClientCounts(): ClientCounts {
  const open = new Map<string, number>()
  return {
    enter(address) {
      const network = networkOf(address)
      const count = (open.get(network) ?? 0) + 1
      open.set(network, count)
      let isOpen = true
      return {
        count,
        leave() {
          if (!isOpen) return
          isOpen = false
          const left = (open.get(network) ?? 1) - 1
          if (left > 0) open.set(network, left)
          else open.delete(network)
        },
      }
    },
  }
}

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

/** An IPv4 address, or the first 64 bits of an IPv6 one: one client usually owns that whole network. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice("::ffff:".length)
  const [head = "", tail] = address.split("%", 1).join("").split("::")
  const groups = head === "" ? [] : head.split(":")
  if (tail !== undefined) {
    const behind = tail === "" ? [] : tail.split(":")
    while (groups.length + behind.length < 8) groups.push("0")
    groups.push(...behind)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

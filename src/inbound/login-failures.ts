import { LRUCache } from "lru-cache"
import { type Clock, isWithin, minute } from "../kernel/clock.ts"
import { networkOf } from "../kernel/network-of.ts"

/** Failed logins of one network within the time, after which it has to wait. */
const most = 30
const withinMs = 10 * minute
const maxNetworks = 10_000

/** Failed logins over time by the network they come from, over however many connections. */
export interface LoginFailures {
  /** Counts a login before it is checked; false when the network has failed too often. */
  take(address: string): boolean
  /** The login was right: it does not count. */
  clear(address: string): void
}

/** In memory: a restart starts anew, and more networks than are remembered displace each other. */
export function createLoginFailures(clock: Pick<Clock, "now">): LoginFailures {
  const windows = new LRUCache<string, { readonly from: number; count: number }>({
    // As a size, because the memory for a number of entries would be taken at once.
    maxSize: maxNetworks,
    sizeCalculation: () => 1,
  })
  return {
    take(address) {
      const network = networkOf(address)
      const now = clock.now()
      const known = windows.get(network)
      const window = known && isWithin(withinMs, now, known.from) ? known : { from: now, count: 0 }
      if (window !== known) windows.set(network, window)
      if (window.count >= most) return false
      window.count++
      return true
    },
    clear(address) {
      const window = windows.get(networkOf(address))
      if (window && window.count > 0) window.count--
    },
  }
}

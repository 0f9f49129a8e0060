import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import type { Dns } from "./dns.ts"
import { allowance, isPublicAddress } from "./public-address.ts"

interface HostDeps {
  readonly dns: Pick<Dns, "addresses">
  /** IP addresses, ranges and host names that may be reached although they are not public. */
  readonly allow: readonly string[]
  /** The system's own lookup, with its hosts file and its search domains; it may reject. */
  readonly system?: SystemLookup
}

export type SystemLookup = (host: string) => Promise<readonly string[]>

/**
 * `found`: a request may connect to each of these addresses. `unknown`: no DNS server answered. `closed`: a request may
 * connect to none of the host's addresses.
 */
type AddressLookup =
  | { readonly is: "found"; readonly addresses: readonly string[] }
  | { readonly is: "none" }
  | { readonly is: "unknown" }
  | { readonly is: "closed" }

const loopback = ["127.0.0.1", "::1"]

const systemLookup: SystemLookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** Looks up the host of a URL, whose addresses must all be public or allowed. */
export function createHostAddresses({ dns, allow, system = systemLookup }: HostDeps) {
  const allowed = allowance(allow)
  const mayReach = (address: string) => isPublicAddress(address) || allowed.hasAddress(address)

  /** Undefined when the lookup had no answer. */
  async function addressesOf(host: string): Promise<readonly string[] | undefined> {
    if (isIP(host) !== 0) return [host]
    if (host === "localhost" || host.endsWith(".localhost")) return loopbackOf(host)
    const answer = await dns.addresses(host)
    if (answer.kind === "found") return answer.records
    // The operator has allowed the name, which may be in the hosts file only.
    const named = allowed.hasHost(host) ? await system(host).catch(() => []) : []
    return named.length === 0 && answer.kind === "no_answer" ? undefined : named
  }

  /** Both, as a server may listen at either; those that are allowed, where that is told by their addresses. */
  function loopbackOf(host: string): readonly string[] {
    const open = loopback.filter((address) => allowed.hasHost(host) || allowed.hasAddress(address))
    return open.length === 0 ? loopback : open
  }

  return async ({ hostname }: URL): Promise<AddressLookup> => {
    const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
    const addresses = await addressesOf(host)
    if (addresses === undefined) return { is: "unknown" }
    if (addresses.length === 0) return { is: "none" }
    return allowed.hasHost(host) || addresses.every(mayReach) ? { is: "found", addresses } : { is: "closed" }
  }
}

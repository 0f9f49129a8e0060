import { LRUCache } from "lru-cache"
import { type Clock, isAhead, second } from "../kernel/clock.ts"
import { canonicalName, isAskable, type Mx, type Records, type RecordType } from "./dns/message.ts"
import { createResolve, type Resolved } from "./dns/resolve.ts"
import { reverseName } from "./dns/reverse-name.ts"
import { serversOf } from "./dns/servers.ts"

export type { Mx } from "./dns/message.ts"

/**
 * The result of a lookup. `none`: it exists, without records of this type (NODATA). `no_domain`: it does not exist
 * (NXDOMAIN). `no_answer`: no server answered in time, so nothing is known.
 */
export type DnsAnswer<R> =
  | { readonly kind: "found"; readonly records: readonly R[] }
  | { readonly kind: "none" }
  | { readonly kind: "no_domain" }
  | { readonly kind: "no_answer" }

interface LookupOptions {
  /** Ignores the cache: for records that somebody may just have changed. */
  readonly fresh?: boolean
}

/** Lookups of fully qualified names, in ASCII form. They never reject. */
export interface Dns {
  /** In the order of the answer, including a null MX, see `isNullMx`. */
  mx(name: string, options?: LookupOptions): Promise<DnsAnswer<Mx>>
  /** A and AAAA records together. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** One text per record. */
  txt(name: string, options?: LookupOptions): Promise<DnsAnswer<string>>
  /** The target of the name itself, without following further aliases. */
  cname(name: string, options?: LookupOptions): Promise<DnsAnswer<string>>
  /** The names of an IP address. */
  names(address: string): Promise<DnsAnswer<string>>
}

interface DnsOptions {
  /** IP addresses with or without port (contract A8.2, `dns.servers`); empty: the system's. */
  readonly servers: readonly string[]
  readonly clock: Clock
  /** The time limit of a whole lookup. */
  readonly timeoutMs: number
}

const entriesPerType = 1_000
const longestFoundMs = 60 * second
const absentMs = 30 * second

/** The null MX of a domain that accepts no mail (RFC 7505). */
export const isNullMx = ({ exchange }: Mx): boolean => exchange === ""

/**
 * Answers are cached for at most a minute, negative ones for half of it; equal concurrent lookups are made once. The
 * cache is in memory because an answer may be stale for that long.
 */
export function createDns({ servers, clock, timeoutMs }: DnsOptions): Dns {
  const resolve = createResolve({ servers: () => serversOf(servers), clock, timeoutMs })

  function lookups<T extends RecordType>(
    type: T,
  ): (name: string, options?: LookupOptions) => Promise<DnsAnswer<Records[T]>> {
    const known = new LRUCache<string, { answer: DnsAnswer<Records[T]>; until: number }>({ max: entriesPerType })
    const underWay = new Map<string, Promise<DnsAnswer<Records[T]>>>()

    async function ask(name: string): Promise<DnsAnswer<Records[T]>> {
      const resolved = await resolve({ type, name })
      const answer = resolved.kind === "found" ? { kind: resolved.kind, records: resolved.records } : resolved
      const ms = keepMs(resolved)
      if (ms > 0) known.set(name, { answer, until: clock.now() + ms })
      return answer
    }

    return async (given, { fresh = false } = {}) => {
      const name = canonicalName(given)
      if (!isAskable(name)) return { kind: "no_domain" }
      const kept = known.get(name)
      if (kept && isAhead(kept.until, clock.now(), longestFoundMs) && !fresh) return kept.answer
      const shared = underWay.get(name) ?? ask(name).finally(() => underWay.delete(name))
      underWay.set(name, shared)
      return shared
    }
  }

  const [ipv4, ipv6, pointers] = [lookups("A"), lookups("AAAA"), lookups("PTR")]
  return {
    mx: lookups("MX"),
    txt: lookups("TXT"),
    cname: lookups("CNAME"),
    names: (address) => pointers(reverseName(address)),
    addresses: async (name) => both(...(await Promise.all([ipv4(name), ipv6(name)]))),
  }
}

function keepMs(answer: Resolved<RecordType>): number {
  switch (answer.kind) {
    case "found":
      return Math.min(answer.ttlSeconds * second, longestFoundMs)
    case "none":
    case "no_domain":
      return absentMs
    case "no_answer":
      return 0
  }
}

/** One of the two is enough to know that there are records; that there are none requires both. */
function both(ipv4: DnsAnswer<string>, ipv6: DnsAnswer<string>): DnsAnswer<string> {
  const records = [ipv4, ipv6].flatMap((answer) => (answer.kind === "found" ? answer.records : []))
  if (records.length > 0) return { kind: "found", records }
  if (ipv4.kind === "no_domain" || ipv6.kind === "no_domain") return { kind: "no_domain" }
  return ipv4.kind === "none" && ipv6.kind === "none" ? { kind: "none" } : { kind: "no_answer" }
}

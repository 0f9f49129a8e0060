import { isIP } from "node:net"
import { allowance } from "../net/public-address.ts"

/** Who sent a request; `peer` is the other end of the connection. */
type ClientAddress = (request: Request, peer: string | undefined) => string | undefined

/**
 * Finds the clients behind proxies: of the addresses that `X-Forwarded-For` or `Forwarded` (RFC 7239) lists, the last one
 * that is not itself a proxy of `trusted`, and that a trusted proxy has added. Without such a proxy, and where both headers
 * are there and differ, because one of them is then the client's own, it is the peer.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = allowance(trusted)

  /** From the peer towards the client, while the proxy that named the next address is trusted. */
  function follow(peer: string, named: readonly string[]): string {
    let client = peer
    for (const name of named.toReversed()) {
      if (!proxies.hasAddress(client)) break
      const next = addressIn(name)
      if (next === undefined) break
      client = next
    }
    return client
  }

  return (request, given) => {
    const peer = given === undefined ? undefined : unmapped(given)
    if (peer === undefined || !proxies.hasAddress(peer)) return peer
    const { headers } = request
    const [plain, standard] = [headers.get("x-forwarded-for"), headers.get("forwarded")]
    const found = [
      ...(plain === null ? [] : [follow(peer, plain.split(","))]),
      ...(standard === null ? [] : [follow(peer, forwardedFor(standard))]),
    ]
    const [client = peer, other = client] = found
    return client === other ? client : peer
  }
}

/**
 * The `for` of each element; an element without one, or an unknown one, is "". A comma within quotes separates nothing; quotes
 * that are not closed end with the header, or each of their characters would be tried as a beginning.
 */
function forwardedFor(header: string): string[] {
  const elements = header.match(/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",])+/g) ?? []
  return elements.map(
    (element) => /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;"\s]*))/i.exec(element)?.slice(1).join("") ?? "",
  )
}

/** The address in an element of these headers, without brackets and port; undefined for anything else. */
export function addressIn(text: string): string | undefined {
  const name = text.trim()
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(name)?.[1] ?? /^([\d.]+):\d+$/.exec(name)?.[1] ?? name
  return isIP(address) === 0 ? undefined : unmapped(address)
}

/** A socket for IPv6 and IPv4 gives addresses of IPv4 in a form of IPv6 (RFC 4291, 2.5.5.2). */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "")

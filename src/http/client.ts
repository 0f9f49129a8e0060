import { isLoopback } from "../kernel/loopback.ts"
import { networkOf } from "../kernel/network-of.ts"
import { addressIn } from "./proxies.ts"

/**
 * Whom a request counts for where clients share what there is: the network of the peer, or behind a proxy on this machine
 * the one that the proxy names. No proof of anything: a proxy that passes the header on lets clients name themselves.
 */
export function clientOf(request: Request, address = ""): string {
  const named = isLoopback(address) ? request.headers.get("x-forwarded-for")?.split(",").at(-1) : undefined
  return networkOf(addressIn(named ?? "") ?? address)
}

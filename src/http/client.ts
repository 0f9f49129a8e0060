import { isLoopback } from "../kernel/loopback.ts"
import { networkOf } from "../kernel/network-of.ts"
import { addressIn } from "./proxies.ts"

/**
 * The client that a request is attributed to where a resource is shared fairly: the network of the peer or, behind a
 * proxy on this machine, of the address that the proxy names. Not an authentication: clients can choose the address if
 * the proxy passes on their header.
 */
export function clientOf(request: Request, address = ""): string {
  const named = isLoopback(address) ? request.headers.get("x-forwarded-for")?.split(",").at(-1) : undefined
  return networkOf(addressIn(named ?? "") ?? address)
}

import { malformed } from "../kernel/errors.ts"

/** A name, an IPv4 address, or an IPv6 address in brackets; a port may follow (RFC 9110, 7.2). */
const form = /^(?:[a-z0-9_][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * The last valid host, cached because the next request nearly always has the same: parsing it takes a thirtieth of the
 * time of an event.
 */
let readable: string | undefined

const isReadable = (host: string): boolean => {
  if (host === readable) return true
  if (!form.test(host) || !URL.canParse(`http://${host}`)) return false
  readable = host
  return true
}

/**
 * What load balancers ask by HTTP/1.0, which needs no host (`option httpchk` of HAProxy). With HTTP/1.1 Bun refuses
 * that itself.
 */
const healthCheck = /^\/health(?:\/(?:live|ready))?(?:\?|$)/

/**
 * Throws 400 unless the request names exactly one host: without one Bun provides a URL without a scheme, in which the
 * path cannot be found. Only `/health` is answered without one. A request made in this process has no `Host` header but
 * a complete URL.
 */
export function requireHost(request: Request): void {
  const host = request.headers.get("host")
  if (host === null && healthCheck.test(request.url))
    Object.defineProperty(request, "url", { value: `http://localhost${request.url}` })
  if ((host !== null && !isReadable(host)) || !/^https?:\/\//.test(request.url))
    throw malformed("The Host header is missing, given twice, or no host name.")
}

/** The host that a request was sent to, without the port and in lower case; a trailing dot is removed; "" without one. */
export function hostNameOf(request: Request): string {
  const host = request.headers.get("host") ?? URL.parse(request.url)?.host ?? ""
  return host
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "")
}

import { isIP } from "node:net"
import { forbidden } from "../kernel/errors.ts"
import { isLoopbackHost } from "../kernel/loopback.ts"
import { hostNameOf } from "./host.ts"

interface SandboxGuardOptions {
  /** Host names of the sandbox, in addition to those that cannot belong to a third party. */
  readonly hosts: readonly string[]
  readonly baseUrl: () => string
  /** Origins whose pages may use the whole API. */
  readonly origins: readonly string[]
  /** The publicly known keys. */
  readonly keys: readonly string[]
}

/**
 * Protects the sandbox, whose keys are publicly known, from foreign web pages. @throws {DomainError} 403 for a host
 * name that a third party could point at this machine (DNS rebinding), and for a page of another site that uses a
 * built-in key (CORS)
 */
export function createSandboxGuard({ hosts, baseUrl, origins, keys }: SandboxGuardOptions) {
  const isOurs = (name: string): boolean => hosts.includes(name) || name === new URL(baseUrl()).hostname

  function isOwnOrigin(origin: string, host: string): boolean {
    if (origins.includes(origin)) return true
    const name = URL.canParse(origin) ? new URL(origin).hostname : ""
    return name === host || isLoopbackHost(name) || name.endsWith(".localhost") || isOurs(name)
  }

  return (request: Request): void => {
    const host = hostNameOf(request)
    if (!isPrivate(host) && !isOurs(host))
      throw forbidden(`The sandbox does not answer to the name ${host}: add it to sandbox.hosts.`)
    const origin = request.headers.get("origin")
    if (origin === null || isOwnOrigin(origin, host)) return
    const authorization = request.headers.get("authorization") ?? ""
    if (keys.some((key) => authorization.trimEnd().endsWith(` ${key}`)))
      throw forbidden(
        "Pages of other sites may not use the sandbox's own keys: add the host to sandbox.hosts, or the origin to http.cors_origins.",
      )
  }
}

/** Addresses, and names that are not in public DNS: those of a single label are containers and local machines. */
const isPrivate = (host: string): boolean =>
  isIP(host.replace(/^\[|\]$/g, "")) !== 0 || !host.includes(".") || /\.(?:localhost|internal|local)$/.test(host)

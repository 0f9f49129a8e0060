import { isLoopback } from "../kernel/loopback.ts"

const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const forwarding = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i

/**
 * Whether a request was made on this machine: peer and `Host` are loopback, which excludes other sites whose name
 * resolves to it (DNS rebinding), and there is no header of a proxy.
 */
export const isLocal = (request: Request, address: string | undefined): boolean =>
  isLoopback(address ?? "") &&
  loopbackHost.test(request.headers.get("host") ?? "") &&
  ![...request.headers.keys()].some((name) => forwarding.test(name))

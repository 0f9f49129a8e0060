const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const forwarding = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i

/**
 * Whether a request was made on this very machine: peer and `Host` are loopback, so that no other site can point its name
 * here, and nothing says that a proxy passed it on.
 */
export const isLocal = (request: Request, address: string | undefined): boolean =>
  loopback.test(address ?? "") &&
  loopbackHost.test(request.headers.get("host") ?? "") &&
  ![...request.headers.keys()].some((name) => forwarding.test(name))

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Whether an IP address is one of this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3), also IPv4 in the form of IPv6. */
export const isLoopback = (address: string): boolean => loopback.test(address)

/** Whether the host of a URL is this machine: such an address, or `localhost`. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || isLoopback(host.replace(/^\[|\]$/g, ""))

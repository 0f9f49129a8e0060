import { ipv6Groups } from "./ipv6.ts"

/** An IPv4 address, or the first 64 bits of an IPv6 one: one client usually owns that whole network. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice("::ffff:".length)
  return ipv6Groups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")
}

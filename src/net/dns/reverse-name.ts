import { ipv6Groups } from "../../kernel/ipv6.ts"

/** The name under which the names of an address are looked up (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(address: string): string {
  if (!address.includes(":")) return `${address.split(".").toReversed().join(".")}.in-addr.arpa`
  const digits = ipv6Groups(address).map((group) => group.toString(16).padStart(4, "0"))
  return `${[...digits.join("")].toReversed().join(".")}.ip6.arpa`
}

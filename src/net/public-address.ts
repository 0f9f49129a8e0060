import { BlockList, isIP } from "node:net"
import { ipv6Groups } from "../kernel/ipv6.ts"

/**
 * IPv4 ranges that are not for requests on somebody else's behalf (RFC 6890 and its registry), and the address at which a
 * cloud provider serves its machines' metadata from inside the public space.
 */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]

/** Only 2000::/3 is in public use, and of it these are special: Teredo, documentation, 6to4. */
const publicIpv6 = ["2000::/3"]
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
/** IPv6 networks reach IPv4 hosts by these addresses; the last 32 bits are the host's (RFC 6052). */
const translated = ["64:ff9b::/96"]

const special = ranges(specialIpv4)
const globalIpv6 = ranges(publicIpv6)
const notGlobalIpv6 = ranges(specialIpv6)
const nat64 = ranges(translated)

/** Whether a request may go to an address that somebody else has named. False for anything but an IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4")
    case 6:
      if (nat64.check(address, "ipv6")) return isPublicAddress(lastIpv4(address))
      return globalIpv6.check(address, "ipv6") && !notGlobalIpv6.check(address, "ipv6")
    default:
      return false
  }
}

interface Allowance {
  /** Whether the exceptions contain this host literally. */
  hasHost(name: string): boolean
  hasAddress(address: string): boolean
}

/** Exceptions: IP addresses, ranges such as `10.0.0.0/8`, and host names in lower case. */
export function allowance(entries: readonly string[]): Allowance {
  const addresses = entries.filter((entry) => isIP(entry.split("/")[0] ?? "") !== 0)
  const names = new Set(entries.filter((entry) => !addresses.includes(entry)))
  const list = ranges(addresses)
  return {
    hasHost: (name) => names.has(name),
    hasAddress: (address) => isIP(address) !== 0 && list.check(address, family(address)),
  }
}

function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = "", bits] = entry.split("/")
    list.addSubnet(network, bits === undefined ? (isIP(network) === 4 ? 32 : 128) : Number(bits), family(network))
  }
  return list
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6"
}

/** The IPv4 address in the last 32 bits. */
function lastIpv4(address: string): string {
  const [high = 0, low = 0] = ipv6Groups(address).slice(-2)
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

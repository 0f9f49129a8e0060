/**
 * The eight groups of an IPv6 address (RFC 4291, 2.2), of which the last two may be written as an IPv4 address; any number of
 * groups when the text is not an address.
 */
export function ipv6Groups(address: string): number[] {
  const [head = "", tail = ""] = address.split("%", 1).join("").split("::")
  const [first, last] = [groupsIn(head), groupsIn(tail)]
  return [...first, ...new Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last]
}

const groupsIn = (text: string): number[] =>
  text
    .split(":")
    .filter((group) => group !== "")
    .flatMap((group) => {
      if (!group.includes(".")) return [Number.parseInt(group, 16)]
      const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
      return [(a << 8) | b, (c << 8) | d]
    })

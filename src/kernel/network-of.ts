/** An IPv4 address, or the first 64 bits of an IPv6 one: one client usually owns that whole network. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice("::ffff:".length)
  const [head = "", tail] = address.split("%", 1).join("").split("::")
  const groups = head === "" ? [] : head.split(":")
  if (tail !== undefined) {
    const behind = tail === "" ? [] : tail.split(":")
    while (groups.length + behind.length < 8) groups.push("0")
    groups.push(...behind)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

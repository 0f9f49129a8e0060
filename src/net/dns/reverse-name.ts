/** The name under which the names of an address are looked up (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(address: string): string {
  if (!address.includes(":")) return `${address.split(".").toReversed().join(".")}.in-addr.arpa`
  // A URL has IPv6 addresses in their normal form, without a dotted part.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::")
  const groups = (text: string) => text.split(":").filter((group) => group !== "")
  const [first, last] = [groups(head), groups(tail ?? "")]
  const all = [...first, ...new Array<string>(8 - first.length - last.length).fill("0"), ...last]
  const digits = all.map((group) => group.padStart(4, "0")).join("")
  return `${[...digits].toReversed().join(".")}.ip6.arpa`
}

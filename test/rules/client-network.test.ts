import { expect, test } from "bun:test"
import { clientOf } from "../../src/http/client.ts"
import { ipv6Groups } from "../../src/kernel/ipv6.ts"

test.each([
  ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
  ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["2001:db8::5%eth0", [0x2001, 0xdb8, 0, 0, 0, 0, 0, 5]],
  ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["64:ff9b::192.0.2.33", [0x64, 0xff9b, 0, 0, 0, 0, 0xc000, 0x221]],
])("%s has these groups (RFC 4291, 2.2)", (address, groups) => {
  expect(ipv6Groups(address)).toEqual(groups)
})

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["198.51.100.7, 203.0.113.9:4711", "203.0.113.9"],
  ["[2001:db8:1:2:3::1]:80", "2001:db8:1:2"],
  // No addresses.
  ["2001:db8:1:2:3:4:5:6:4711", "127.0.0.1"],
  ["nobody", "127.0.0.1"],
  ["", "127.0.0.1"],
])("a request that a proxy on this machine says is of %j counts for %s", (named, network) => {
  const request = new Request("http://localhost/", { headers: { "X-Forwarded-For": named } })
  expect(clientOf(request, "127.0.0.1")).toBe(network)
})

test("the header of anybody else is not looked at", () => {
  const request = new Request("http://localhost/", { headers: { "X-Forwarded-For": "198.51.100.7" } })
  expect(clientOf(request, "203.0.113.9")).toBe("203.0.113.9")
})

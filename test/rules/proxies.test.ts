import { describe, expect, test } from "bun:test"
import { createClientAddress } from "../../src/http/proxies.ts"

const find = createClientAddress(["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48", "::1"])

const clientOf = (peer: string | undefined, headers: Record<string, string>) =>
  find(new Request("http://localhost/", { headers }), peer)

const plain = (value: string) => ({ "X-Forwarded-For": value })
const standard = (value: string) => ({ Forwarded: value })

describe("the client of a request (contract A8.6.7)", () => {
  test.each<[string, string | undefined, Record<string, string>, string | undefined]>([
    ["is the peer without a header", "10.0.0.1", {}, "10.0.0.1"],
    ["is unknown with the peer", undefined, plain("198.51.100.1"), undefined],
    ["is the peer that is no proxy, whatever it says", "203.0.113.5", plain("198.51.100.1"), "203.0.113.5"],
    ["is named by a proxy", "10.0.0.1", plain("198.51.100.1"), "198.51.100.1"],
    ["is named by a proxy of IPv6", "2001:db8:1::5", plain("2001:db8:9::1"), "2001:db8:9::1"],
    ["is the last that is no proxy", "10.0.0.1", plain("1.2.3.4, 198.51.100.1, 192.0.2.7,10.9.9.9"), "198.51.100.1"],
    ["is the first of a list of proxies", "10.0.0.1", plain("10.0.0.3, 10.0.0.2"), "10.0.0.3"],
    ["has no port", "10.0.0.1", plain("198.51.100.1:4711"), "198.51.100.1"],
    ["has neither brackets nor port", "10.0.0.1", plain("[2001:db8:9::1]:4711"), "2001:db8:9::1"],
    ["has the usual form of IPv4", "::ffff:10.0.0.1", plain("::ffff:198.51.100.1"), "198.51.100.1"],
    ["has the usual form as a peer", "::ffff:203.0.113.5", {}, "203.0.113.5"],
    ["is the proxy before what cannot be read", "10.0.0.1", plain("198.51.100.1, unknown, 10.0.0.2"), "10.0.0.2"],
    ["is the peer when nothing can be read", "10.0.0.1", plain("what, ever"), "10.0.0.1"],
    ["is the peer when the header is empty", "10.0.0.1", plain(""), "10.0.0.1"],
    [
      "is named by the standard header",
      "10.0.0.1",
      standard("for=198.51.100.1;proto=https;by=10.0.0.1"),
      "198.51.100.1",
    ],
    ["is named in quotes", "10.0.0.1", standard('proto=http; For="[2001:db8:9::1]:80", for=10.2.2.2'), "2001:db8:9::1"],
    ["is not what only looks like one", "10.0.0.1", standard('host="a,for=1.2.3.4";for=198.51.100.1'), "198.51.100.1"],
    ["is not behind an element without it", "10.0.0.1", standard("for=198.51.100.1, by=10.0.0.1"), "10.0.0.1"],
    ["is not a hidden name", "10.0.0.1", standard("for=_gazonk"), "10.0.0.1"],
    ["is the same in both headers", "10.0.0.1", { ...plain("1.2.3.4"), ...standard("for=1.2.3.4") }, "1.2.3.4"],
    [
      "is the peer where the headers differ",
      "10.0.0.1",
      { ...plain("1.2.3.4"), ...standard("for=4.3.2.1") },
      "10.0.0.1",
    ],
  ])("%s", (_, peer, headers, expected) => {
    expect(clientOf(peer, headers)).toBe(expected)
  })

  test("is the peer where no proxy is trusted", () => {
    const request = new Request("http://localhost/", { headers: plain("198.51.100.1") })
    expect(createClientAddress([])(request, "127.0.0.1")).toBe("127.0.0.1")
  })

  test("is found in time in a long header", () => {
    const long = Array.from({ length: 20_000 }, () => 'for="10.0.0.1"').join(",")
    expect(clientOf("10.0.0.1", standard(`for=198.51.100.1,${long}`))).toBe("198.51.100.1")
    expect(clientOf("10.0.0.1", standard('"'.repeat(100_000)))).toBe("10.0.0.1")
    // It would take minutes if each quote were tried as a beginning.
    expect(clientOf("10.0.0.1", standard(`for=198.51.100.1, "${'\\"'.repeat(200_000)}`))).toBe("10.0.0.1")
  })
})

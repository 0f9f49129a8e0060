import { describe, expect, test } from "bun:test"
import { encode } from "dns-packet"
import { parseServer, serversOf } from "../../src/net/dns/servers.ts"
import type { Dns } from "../../src/net/dns.ts"
import { dnsSettings, lookupsAt, startDnsServer, type Zone } from "../harness/dns-server.ts"

const setUp = dnsSettings()
const here: Zone = { "acme.test": [["TXT", "here"]] }
const found = { kind: "found", records: ["here"] } as const
const lookUp = (dns: Dns) => dns.txt("acme.test")

describe("a server", () => {
  test.each(["servfail", "refused", "formerr"] as const)(
    "that answers %s gives way to the next one",
    async (behaviour) => {
      const { dns, first, second } = await setUp(here, 2)
      first.always(behaviour)
      expect(await lookUp(dns)).toEqual(found)
      expect(second.queries).toHaveLength(1)
    },
  )

  test("that answers is the only one asked", async () => {
    const { dns, second } = await setUp(here, 2)
    expect(await lookUp(dns)).toEqual(found)
    expect(await dns.txt("nowhere.test")).toEqual({ kind: "no_domain" })
    expect(second.queries).toEqual([])
  })

  test("that is unreachable is replaced by the next one at once", async () => {
    const { first } = await setUp(here)
    const gone = await startDnsServer()
    await gone.stop()
    expect(await lookUp(lookupsAt([gone.address, first.address]))).toEqual(found)
  })

  test("to which no way leads, as without a network, is replaced by the next one, and alone ends the lookup", async () => {
    const { first } = await setUp(here)
    // The system refuses it at once, as it does a server without a route.
    const beyond = "255.255.255.255"
    expect(await lookUp(lookupsAt([beyond, first.address]))).toEqual(found)
    expect(await lookUp(lookupsAt([beyond]))).toEqual({ kind: "no_answer" })
  })

  test.each(["servfail", "refused"] as const)(
    "that is the only one and answers %s ends the lookup at once",
    async (behaviour) => {
      const { dns, first } = await setUp(here)
      first.always(behaviour)
      expect(await lookUp(dns)).toEqual({ kind: "no_answer" })
      expect(first.queries).toHaveLength(1)
    },
  )

  test("that is the only one and unreachable ends the lookup at once", async () => {
    const gone = await startDnsServer()
    await gone.stop()
    expect(await lookUp(lookupsAt([gone.address]))).toEqual({ kind: "no_answer" })
  })

  test("that is silent is followed by the next one after a second", async () => {
    const { dns, first, clock } = await setUp(here, 2)
    first.always("silent")
    const asked = lookUp(dns)
    await first.received(1)
    await clock.advance(1_000)
    expect(await asked).toEqual(found)
  })

  test("that only refers to others is followed by the next one", async () => {
    const { dns, first } = await setUp(here, 2)
    first.always((_, honest) => [encode({ ...honest, answers: [], flags: 0x0100 })])
    expect(await lookUp(dns)).toEqual(found)
  })

  test("may be the authority for the name", async () => {
    const { dns, first } = await setUp({})
    first.always((_, honest) => [encode({ ...honest, answers: [], flags: 0x0500 })])
    expect(await lookUp(dns)).toEqual({ kind: "none" })
  })

  test("that does not support EDNS is asked without it", async () => {
    const { dns, first } = await setUp(here)
    first.always("not_edns")
    expect(await lookUp(dns)).toEqual(found)
    expect(first.queries.map(({ edns }) => edns)).toEqual([true, false])
  })

  test.each([
    ["192.0.2.1", { host: "192.0.2.1", port: 53 }],
    ["192.0.2.1:5353", { host: "192.0.2.1", port: 5353 }],
    ["2001:db8::1", { host: "2001:db8::1", port: 53 }],
    ["[2001:db8::1]", { host: "2001:db8::1", port: 53 }],
    ["[2001:db8::1]:5353", { host: "2001:db8::1", port: 5353 }],
  ])("is written %s", (text, server) => {
    expect(parseServer(text)).toEqual(server)
  })

  test("is one of the system's when none is configured", () => {
    for (const { host, port } of serversOf([])) expect([typeof host, port > 0]).toEqual(["string", true])
    expect(serversOf(["192.0.2.1"])).toEqual([{ host: "192.0.2.1", port: 53 }])
  })
})

describe("an answer too large for a datagram", () => {
  const text = Array.from({ length: 8 }, () => "x".repeat(250))
  const big: Zone = { "acme.test": [["TXT", text]] }
  const whole = { kind: "found", records: [text.join("")] } as const

  test("is fetched over TCP", async () => {
    const { dns, first } = await setUp(big)
    expect(await lookUp(dns)).toEqual(whole)
    expect(first.queries.map(({ over }) => over)).toEqual(["udp", "tcp"])
  })

  test("is fetched over TCP when its datagram ends in the middle of a record", async () => {
    const { dns, first } = await setUp(here)
    first.next((_, honest) => [encode({ ...honest, flags: 0x8380 }).subarray(0, -3)])
    expect(await lookUp(dns)).toEqual(found)
    expect(first.queries.map(({ over }) => over)).toEqual(["udp", "tcp"])
  })

  test("is fetched over TCP from a server that does not know EDNS", async () => {
    const { dns, first } = await setUp(big)
    first.always("not_edns")
    expect(await lookUp(dns)).toEqual(whole)
    expect(first.queries.map(({ over, edns }) => [over, edns])).toEqual([
      ["udp", true],
      ["udp", false],
      ["tcp", false],
    ])
  })

  test("fits into one with EDNS when it has up to 1232 bytes", async () => {
    const { dns, first } = await setUp({ "acme.test": [["TXT", text.slice(0, 4)]] })
    expect(await lookUp(dns)).toEqual({ kind: "found", records: [text.slice(0, 4).join("")] })
    expect(first.queries).toHaveLength(1)
  })

  test.each(["close", "garbage", "servfail"] as const)(
    "is asked of the next server when TCP comes to %s",
    async (behaviour) => {
      const { dns, first, second } = await setUp(big, 2)
      first.next((_, honest) => [encode({ ...honest, answers: [], flags: 0x8380 })], behaviour)
      expect(await lookUp(dns)).toEqual(whole)
      expect(first.queries).toHaveLength(2)
      expect(second.queries.map(({ over }) => over)).toEqual(["udp", "tcp"])
    },
  )
})

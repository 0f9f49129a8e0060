import { describe, expect, test } from "bun:test"
import { encode } from "dns-packet"
import { systemClock } from "../../src/kernel/clock.ts"
import { createDns, isNullMx } from "../../src/net/dns.ts"
import { dnsSettings, type Zone } from "../harness/dns-server.ts"

const setUp = dnsSettings()

const acme: Zone = {
  "acme.test": [
    ["MX", { preference: 10, exchange: "mx1.acme.test" }],
    ["MX", { preference: 20, exchange: "MX2.Acme.test" }],
    ["A", "192.0.2.1"],
    ["AAAA", "2001:db8::1"],
  ],
}
const found = { kind: "found", records: ["192.0.2.1", "2001:db8::1"] } as const
const noAnswer = { kind: "no_answer" } as const

describe("a lookup", () => {
  test("finds the mail servers of a domain", async () => {
    const { dns } = await setUp(acme)
    expect(await dns.mx("acme.test")).toEqual({
      kind: "found",
      records: [
        { priority: 10, exchange: "mx1.acme.test" },
        { priority: 20, exchange: "mx2.acme.test" },
      ],
    })
  })

  test("finds IPv4 and IPv6 addresses together", async () => {
    const { dns } = await setUp(acme)
    expect(await dns.addresses("acme.test")).toEqual(found)
  })

  test("ignores case and a trailing dot", async () => {
    const { dns, first: server } = await setUp(acme)
    expect(await dns.addresses("ACME.test.")).toEqual(found)
    expect(await dns.addresses("acme.test")).toEqual(found)
    expect(server.queries).toHaveLength(2)
  })

  test("distinguishes a name without such records from one that does not exist", async () => {
    const { dns } = await setUp({ "acme.test": [["TXT", "here"]] })
    expect(await dns.mx("acme.test")).toEqual({ kind: "none" })
    expect(await dns.addresses("acme.test")).toEqual({ kind: "none" })
    expect(await dns.mx("nowhere.test")).toEqual({ kind: "no_domain" })
    expect(await dns.addresses("nowhere.test")).toEqual({ kind: "no_domain" })
  })

  test("shows the null MX as such", async () => {
    const { dns } = await setUp({ "acme.test": [["MX", { preference: 0, exchange: "." }]] })
    const answer = await dns.mx("acme.test")
    expect(answer).toEqual({ kind: "found", records: [{ priority: 0, exchange: "" }] })
    expect(answer.kind === "found" && answer.records.every(isNullMx)).toBe(true)
  })

  test("joins the strings of a TXT record, and keeps records apart", async () => {
    const key = `v=DKIM1; p=${"A".repeat(390)}`
    const { dns } = await setUp({
      "ph1._domainkey.acme.test": [
        ["TXT", [key.slice(0, 255), key.slice(255)]],
        ["TXT", "another"],
      ],
    })
    expect(await dns.txt("ph1._domainkey.acme.test")).toEqual({ kind: "found", records: [key, "another"] })
  })

  test("for an alias returns its direct target", async () => {
    const { dns } = await setUp({
      "a.test": [["CNAME", "B.test"]],
      "b.test": [["CNAME", "c.test"]],
      "c.test": [["A", "192.0.2.1"]],
    })
    expect(await dns.cname("a.test")).toEqual({ kind: "found", records: ["b.test"] })
    expect(await dns.cname("c.test")).toEqual({ kind: "none" })
  })

  test.each(["", ".", "a..test", `${"a".repeat(64)}.test`, `${"a.".repeat(126)}test`])(
    "of %j, which is not a name, sends no query",
    async (name) => {
      const { dns, first: server } = await setUp({})
      expect(await dns.mx(name)).toEqual({ kind: "no_domain" })
      expect(server.queries).toEqual([])
    },
  )
})

describe("aliases", () => {
  test("are followed within an answer", async () => {
    const { dns, first: server } = await setUp({
      "a.test": [["CNAME", "b.test"]],
      "b.test": [["CNAME", "c.test"]],
      "c.test": [["TXT", "here"]],
    })
    expect(await dns.txt("a.test")).toEqual({ kind: "found", records: ["here"] })
    expect(server.queries).toHaveLength(1)
  })

  test("are asked about when the answer ends with one", async () => {
    const { dns, first: server } = await setUp({ "b.test": [["TXT", "here"]] })
    server.next(lone("b.test"))
    expect(await dns.txt("a.test")).toEqual({ kind: "found", records: ["here"] })
    expect(server.queries.map(({ name }) => name)).toEqual(["a.test", "b.test"])
  })

  test("to a missing name give no_domain, and to other records give none", async () => {
    const { dns } = await setUp({
      "a.test": [["CNAME", "b.test"]],
      "c.test": [["CNAME", "d.test"]],
      "d.test": [["A", "192.0.2.1"]],
    })
    expect(await dns.txt("a.test")).toEqual({ kind: "no_domain" })
    expect(await dns.txt("c.test")).toEqual({ kind: "none" })
  })

  test("in a circle end", async () => {
    const { dns, first: server } = await setUp({ "a.test": [["CNAME", "b.test"]], "b.test": [["CNAME", "a.test"]] })
    expect(await dns.txt("a.test")).toEqual({ kind: "none" })
    expect(server.queries.length).toBeLessThan(10)
  })

  test("without end are given up", async () => {
    const { dns, first: server } = await setUp({})
    let made = 0
    server.always((query, honest) => lone(`n${made++}.test`)(query, honest))
    expect(await dns.txt("a.test")).toEqual({ kind: "none" })
    expect(server.queries.length).toBeLessThan(10)
  })
})

describe("the time", () => {
  test("ends after the limit, not before", async () => {
    const { dns, clock, first: server } = await setUp(acme)
    server.always("silent")
    let answer: unknown
    const asked = dns.mx("acme.test").then((given) => (answer = given))
    await server.received(1)
    await clock.advance(1_000)
    await server.received(2)
    await clock.advance(2_000)
    await server.received(3)
    await clock.advance(1_999)
    expect(answer).toBeUndefined()
    await clock.advance(1)
    expect(await asked).toEqual(noAnswer)
    expect(server.queries).toHaveLength(3)
  })

  test("suffices for a server that answers the second question", async () => {
    const { dns, clock, first: server } = await setUp(acme)
    server.next("silent")
    const asked = dns.mx("acme.test")
    await server.received(1)
    await clock.advance(1_000)
    expect(await asked).toMatchObject({ kind: "found" })
  })

  test("suffices for a server that answers late, whichever question it answers", async () => {
    const { dns, clock, first: server } = await setUp(acme)
    server.hold()
    const asked = dns.mx("acme.test")
    await server.received(1)
    await clock.advance(1_000)
    await server.received(2)
    await clock.advance(1_500)
    server.release()
    expect(await asked).toMatchObject({ kind: "found" })
    expect(server.queries).toHaveLength(2)
  })

  test("suffices for one that answers only what it was asked first", async () => {
    const { dns, clock, first: server } = await setUp(acme)
    server.hold()
    const asked = dns.mx("acme.test")
    await server.received(1)
    server.always("silent")
    for (const [queries, ms] of [
      [1, 1_000],
      [2, 2_000],
      [3, 1_900],
    ] as const) {
      await server.received(queries)
      await clock.advance(ms)
    }
    server.release()
    expect(await asked).toMatchObject({ kind: "found" })
  })

  test("is shared by all the servers", async () => {
    const { dns, clock, servers } = await setUp(acme, 3)
    for (const server of servers) server.always("silent")
    const asked = dns.mx("acme.test")
    for (const server of servers) {
      await server.received(1)
      await clock.advance(1_000)
    }
    await servers[0]?.received(2)
    await clock.advance(2_000)
    expect(await asked).toEqual(noAnswer)
    expect(servers.map(({ queries }) => queries.length)).toEqual([2, 1, 1])
  })

  test("also limits a connection that is silent", async () => {
    const { dns, clock, first: server } = await setUp({ "acme.test": [["TXT", Array(8).fill("x".repeat(250))]] })
    server.next(truncated, "silent", truncated, "silent", truncated, "silent")
    const asked = dns.txt("acme.test")
    for (const [queries, ms] of [
      [2, 1_000],
      [4, 2_000],
      [6, 2_000],
    ] as const) {
      await server.received(queries)
      await clock.advance(ms)
    }
    expect(await asked).toEqual(noAnswer)
  })

  test("follows the real clock", async () => {
    const { first: server } = await setUp(acme)
    server.always("silent")
    const dns = createDns({ servers: [server.address], clock: systemClock, timeoutMs: 50 })
    const started = performance.now()
    expect(await dns.mx("acme.test")).toEqual(noAnswer)
    expect(performance.now() - started).toBeGreaterThan(45)
  })
})

const truncated = (_: unknown, honest: Parameters<typeof encode>[0]) => [
  encode({ ...honest, answers: [], flags: 0x8380 }),
]

/** An answer that ends with an alias. */
const lone =
  (target: string) =>
  ({ name }: { name: string }, honest: Parameters<typeof encode>[0]) => [
    encode({ ...honest, answers: [{ type: "CNAME", name, data: target }], flags: 0x8180 }),
  ]

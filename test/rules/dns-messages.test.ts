import { describe, expect, test } from "bun:test"
import { encode } from "dns-packet"
import fc from "fast-check"
import { canonicalName, createQuery } from "../../src/net/dns/message.ts"
import type { Dns } from "../../src/net/dns.ts"
import { type DnsBehaviour, dnsSettings, type Zone } from "../harness/dns-server.ts"
import { workedMs } from "../harness/processor-time.ts"

const setUp = dnsSettings()
const here: Zone = { "acme.test": [["TXT", "here"]] }
const found = { kind: "found", records: ["here"] } as const
const lookUp = (dns: Dns) => dns.txt("acme.test")

describe("a datagram that does not answer the query", () => {
  const asIn =
    (change: object): DnsBehaviour =>
    (_, honest) => [encode({ ...honest, ...change }), encode(honest)]

  test.each<[string, DnsBehaviour]>([
    ["with another id", ({ id }, honest) => [encode({ ...honest, id: id ^ 1, flags: 0x8183 }), encode(honest)]],
    ["with another name", asIn({ questions: [{ type: "TXT", name: "acme.example" }], flags: 0x8183 })],
    ["with another type", asIn({ questions: [{ type: "MX", name: "acme.test" }], flags: 0x8183 })],
    ["without a question", asIn({ questions: [], flags: 0x8183 })],
    [
      "with two questions",
      asIn({
        questions: [
          { type: "TXT", name: "acme.test" },
          { type: "MX", name: "acme.test" },
        ],
        flags: 0x8183,
      }),
    ],
    ["that is a query", asIn({ type: "query", flags: 0x0103 })],
    ["of garbage", (_, honest) => [Buffer.from("garbage"), encode(honest)]],
    ["that is empty", (_, honest) => [Buffer.alloc(0), encode(honest)]],
    ["cut short", (_, honest) => [encode(honest).subarray(0, -3), encode(honest)]],
  ])("is ignored: one %s", async (_, behaviour) => {
    const { dns, first } = await setUp(here)
    first.next(behaviour)
    expect(await lookUp(dns)).toEqual(found)
    expect(first.queries).toHaveLength(1)
  })

  test("is not received when it comes from another address", async () => {
    const { dns, first, clock } = await setUp(here)
    const returned = Promise.withResolvers<void>()
    const stranger = await Bun.udpSocket({
      hostname: "127.0.0.1",
      port: 0,
      socket: { error: () => returned.resolve() },
    })
    first.next(({ port }, honest) => {
      stranger.send(encode({ ...honest, answers: [], flags: 0x8183 }), port, "127.0.0.1")
      return []
    })
    const asked = lookUp(dns)
    await returned.promise
    await clock.advance(1_000)
    expect(await asked).toEqual(found)
    stranger.close()
  })

  test("without another one counts as silence", async () => {
    const { dns, first, second, clock } = await setUp(here, 2)
    first.always("garbage")
    const asked = lookUp(dns)
    await first.received(1)
    await clock.advance(1_000)
    expect(await asked).toEqual(found)
    expect(second.queries).toHaveLength(1)
  })
})

test("reading any bytes neither throws nor finds records that were not requested", () => {
  const question = { type: "TXT", name: "acme.test" } as const
  const query = createQuery(question, true)
  const honest = encode({
    type: "response",
    id: Buffer.from(query.bytes).readUInt16BE(),
    flags: 0x8180,
    questions: [question],
    answers: [
      { type: "CNAME", name: "acme.test", data: "b.test" },
      { type: "TXT", name: "b.test", data: ["x", "y"] },
    ],
  })
  expect(query.read(honest)).toEqual({ kind: "found", records: ["xy"], ttlSeconds: 0 })
  const spoilt = fc
    .array(fc.tuple(fc.nat(honest.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((changes) => {
      const bytes = Buffer.from(honest)
      for (const [at, value] of changes) bytes[at] = value
      return bytes
    })
  const bytes = fc.oneof(
    spoilt,
    fc.uint8Array({ maxLength: 600 }),
    fc.nat(honest.length).map((length) => honest.subarray(0, length)),
  )
  const kinds = ["found", "none", "no_domain", "alias", "truncated", "not_understood", "refused"]
  fc.assert(
    fc.property(bytes, (given) => {
      const reply = query.read(given)
      if (reply) expect(kinds).toContain(reply.kind)
    }),
    { numRuns: 2_000 },
  )
})

test("the longest chain of aliases that fits into an answer takes little time", () => {
  const query = createQuery({ name: "000.test", type: "A" }, false)
  const question = [3, ...Buffer.from("000"), 4, ...Buffer.from("test"), 0, 0, 1, 0, 1]
  // "test" in the question is at 16.
  const name = (n: number) => [3, ...Buffer.from(n.toString(36).padStart(3, "0")), 0xc0, 16]
  const alias = (n: number) => [...name(n), 0, 5, 0, 1, 0, 0, 0, 60, 0, 6, ...name(n + 1)]
  const count = 2_970
  const head = [...query.bytes.subarray(0, 2), 0x84, 0, 0, 1, count >> 8, count & 255, 0, 0, 0, 0]
  const bytes = Buffer.from([...head, ...question, ...Array.from({ length: count }, (_, n) => alias(n)).flat()])
  expect(bytes.length).toBeLessThan(65_536)
  const before = workedMs()
  expect(query.read(bytes)).toEqual({ kind: "alias", name: `${count.toString(36)}.test` })
  expect(workedMs() - before).toBeLessThan(250)
})

test("ids and ports of queries cannot be guessed from those before", async () => {
  const { dns, first } = await setUp({})
  for (let i = 0; i < 20; i++) await dns.txt(`n${i}.test`)
  const steps = (values: number[]) => new Set(values.slice(1).map((value, i) => value - (values[i] ?? 0)))
  expect(steps(first.queries.map(({ id }) => id)).size).toBeGreaterThan(15)
  expect(new Set(first.queries.map(({ port }) => port)).size).toBeGreaterThan(10)
})

test("names are compared according to RFC 1035", () => {
  expect([canonicalName("Acme.TEST."), canonicalName("."), canonicalName("a.b")]).toEqual(["acme.test", "", "a.b"])
})

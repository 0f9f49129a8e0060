import { describe, expect, test } from "bun:test"
import { dnsSettings, type Zone } from "../harness/dns-server.ts"

const setUp = dnsSettings()
const found = { kind: "found", records: ["here"] } as const

describe("what is known", () => {
  const zone: Zone = {
    "acme.test": [["TXT", "here"]],
    "brief.test": [["TXT", "here", 10]],
    "alias.test": [["CNAME", "acme.test", 20]],
    "fleeting.test": [["TXT", "here", 0]],
  }

  test.each([
    ["a record is kept for a minute", "acme.test", 60_000],
    ["a record is kept no longer than it says", "brief.test", 10_000],
    ["a record is kept no longer than the alias that leads to it", "alias.test", 20_000],
    ["an absence is kept for half a minute", "nowhere.test", 30_000],
  ])("%s", async (_, name, ms) => {
    const { dns, first, clock } = await setUp(zone)
    const answer = await dns.txt(name)
    await clock.advance(ms - 1)
    expect(await dns.txt(name)).toEqual(answer)
    expect(first.queries).toHaveLength(1)
    await clock.advance(1)
    expect(await dns.txt(name)).toEqual(answer)
    expect(first.queries).toHaveLength(2)
  })

  test.each([1, 400])("entries cached by a clock %p days ahead are dropped when it is corrected", async (days) => {
    const { dns, first, clock } = await setUp(zone)
    clock.jump(days * 86_400_000)
    await dns.txt("acme.test")
    clock.jump(-days * 86_400_000)
    expect(await dns.txt("acme.test")).toEqual(found)
    expect(first.queries).toHaveLength(2)
  })

  test("a record with TTL 0 is not cached", async () => {
    const { dns, first } = await setUp(zone)
    await dns.txt("fleeting.test")
    await dns.txt("fleeting.test")
    expect(first.queries).toHaveLength(2)
  })

  test("without an answer is not cached", async () => {
    const { dns, first } = await setUp(zone)
    first.next("servfail")
    expect(await dns.txt("acme.test")).toEqual({ kind: "no_answer" })
    expect(await dns.txt("acme.test")).toEqual(found)
  })

  test("types are cached separately", async () => {
    const { dns } = await setUp(zone)
    expect(await dns.mx("acme.test")).toEqual({ kind: "none" })
    expect(await dns.txt("acme.test")).toEqual(found)
  })

  test("equal concurrent lookups are made once", async () => {
    const { dns, first } = await setUp(zone)
    const answers = await Promise.all(["acme.test", "ACME.test", "acme.test."].map((name) => dns.txt(name)))
    expect(answers).toEqual([found, found, found])
    expect(first.queries).toHaveLength(1)
  })

  test("many concurrent lookups are all answered", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `n${i}.test`)
    const { dns } = await setUp(Object.fromEntries(names.map((name) => [name, [["TXT", name]]])))
    const answers = await Promise.all(names.map((name) => dns.txt(name)))
    expect(answers.map((answer) => (answer.kind === "found" ? answer.records[0] : answer.kind))).toEqual(names)
  })

  test("lookups beyond the limit wait, within their time limit, and free their slots", async () => {
    const names = Array.from({ length: 200 }, (_, i) => `n${i}.test`)
    const { dns, first, clock } = await setUp({})
    first.always("silent")
    const asked = Promise.all(names.map((name) => dns.txt(name)))
    await first.received(128)
    expect(first.queries).toHaveLength(128)
    await clock.advance(5_000)
    expect(new Set((await asked).map(({ kind }) => kind))).toEqual(new Set(["no_answer"]))
    first.always(undefined)
    const again = await Promise.all(names.map((name) => dns.txt(name)))
    expect(new Set(again.map(({ kind }) => kind))).toEqual(new Set(["no_domain"]))
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Audience } from "../../src/modules/segments/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { addSegment, all, field, inSegment, onPlan, tracked } from "../harness/segments.ts"

const own = 300
const foreign = 30_000
let it: TestApp
let small: string
beforeAll(async () => {
  it = await startTestApp()
  small = (await it.app.projects.create("Small")).id
  // The contacts of a small project lie scattered among those of a large one.
  for (let part = 0; part < 3; part++) {
    await seedContacts(it, foreign / 3, (n) => ({
      email: `big${part}-${n}@example.com`,
      data: { plan: n % 100 === 0 ? "pro" : "free" },
    }))
    await seedContacts(
      it,
      own / 3,
      (n) => ({
        email: `small${part}-${n}@example.com`,
        subscribed: n % 10 !== 0,
        data: { plan: n % 2 === 0 ? "pro" : "free", part },
      }),
      small,
    )
  }
})
afterAll(() => it.close())

const audiences = () => it.app.segments.audiences

/** Walks to the end; resolves to the addresses it met and the number of steps. */
async function walk(project: string, audience: Audience, limit = 1_000) {
  const until = await audiences().lastSeq(it.app.store.read)
  const met: { seq: number; email: string }[] = []
  let steps = 0
  for (let after = 0; after < until; steps++) {
    const { recipients, position } = await audiences().next(project, audience, after, until, limit)
    expect(recipients.length).toBeLessThanOrEqual(limit)
    expect(position).toBeGreaterThan(after)
    for (const { seq } of recipients) expect(seq > after && seq <= position).toBe(true)
    met.push(...recipients)
    after = position
  }
  expect(met.map(({ seq }) => seq)).toEqual(met.map(({ seq }) => seq).sort((one, other) => one - other))
  return { emails: met.map(({ email }) => email), steps }
}

const everybody = { kind: "ALL", subscribedOnly: false } as const
const onPro = { kind: "FILTERED", condition: onPlan("pro"), subscribedOnly: false } as const

describe("an audience", () => {
  test.each<[string, () => string, Audience, number]>([
    ["all contacts of a project", () => small, everybody, own],
    ["the subscribed contacts of a project", () => small, { ...everybody, subscribedOnly: true }, 270],
    ["contacts that match", () => small, onPro, 150],
    ["subscribed contacts that match", () => small, { ...onPro, subscribedOnly: true }, 120],
    ["all of a large project", () => it.project.id, everybody, foreign],
    ["the few of a large project that match", () => it.project.id, onPro, foreign / 100],
    ["no contact", () => small, { ...onPro, condition: onPlan("none") }, 0],
    ["a deleted segment", () => small, { kind: "SEGMENT", segmentId: "gone", subscribedOnly: false }, 0],
  ])("%s: the walk meets as many as are counted, each once", async (_, project, audience, count) => {
    expect(await audiences().count(project(), audience)).toBe(count)
    for (const limit of [7, 1_000, 100_000]) {
      if (count > 1_000 && limit === 7) continue
      const { emails } = await walk(project(), audience, limit)
      expect([emails.length, new Set(emails).size]).toEqual([count, count])
    }
  })

  test("of a segment has the contacts that its list has: its members, or those that match now, recorded or not", async () => {
    const list = await addSegment(it, { name: "List", type: "STATIC" })
    const emails = ["big0-5@example.com", "big2-7@example.com"]
    await it.api(`POST /segments/${list.id}/members`, { body: { emails } })
    const pros = await tracked(it, "Pros", onPlan("pro"))
    const of = (segmentId: string) => ({ kind: "SEGMENT", segmentId, subscribedOnly: true }) as const
    expect((await walk(it.project.id, of(list.id))).emails).toEqual(emails)
    expect(await audiences().count(it.project.id, of(list.id))).toBe(2)
    expect((await walk(it.project.id, of(pros.id))).emails).toHaveLength(300)
    expect(await audiences().count(it.project.id, of(pros.id))).toBe(300)
    expect(await audiences().count(small, of(list.id))).toBe(0)
  })

  test("is evaluated at the requested instant", async () => {
    const at = it.clock.now()
    const recent = {
      kind: "FILTERED",
      condition: all(field("createdAt", "within", 1, "hours")),
      subscribedOnly: false,
    } as const
    expect(await audiences().count(small, { ...recent, at })).toBe(own)
    expect(await audiences().count(small, { ...recent, at: at + 7_200_000 })).toBe(0)
    expect((await walk(small, { ...recent, at: at + 7_200_000 })).emails).toEqual([])
  })

  test("is walked in steps that evaluate a bounded number of contacts: one for a small project, more for a large one", async () => {
    expect((await walk(small, onPro)).steps).toBe(1)
    expect((await walk(it.project.id, { ...onPro, condition: onPlan("none") })).steps).toBe(2)
  })

  test("ends at the given position, without contacts that were added later", async () => {
    const until = await audiences().lastSeq(it.app.store.read)
    await seedContacts(it, 1, () => ({ email: "late@example.com", data: { plan: "pro", part: 9 } }), small)
    const { recipients, position } = await audiences().next(small, onPro, 0, until, 1_000)
    expect([recipients.length, position]).toEqual([150, until])
    expect(recipients[0]).toEqual({
      seq: expect.any(Number),
      id: expect.any(String),
      email: "small0-0@example.com",
      subscribed: false,
      data: { plan: "pro", part: 0 },
    })
  })

  test("can be read again inside a unit, without contacts that were deleted meanwhile", async () => {
    const { recipients } = await audiences().next(small, onPro, 0, Number.MAX_SAFE_INTEGER, 3)
    const [first, second, third] = recipients
    await it.app.contacts.remove(small, second?.id ?? "")
    const seqs = recipients.map(({ seq }) => seq)
    const left = await it.app.store.write(it.project.id, (unit) => audiences().present(unit.db, small, seqs))
    expect(left.map(({ email }) => email)).toEqual([first?.email ?? "", third?.email ?? ""])
    expect(left[0]).toMatchObject({ data: first?.data ?? {}, subscribed: first?.subscribed ?? true })
    expect(
      await it.app.store.write(it.project.id, (unit) => audiences().present(unit.db, it.project.id, seqs)),
    ).toEqual([])
  })
})

describe("a condition that was sent", () => {
  const check = (sent: unknown) => audiences().check(it.app.store.read, it.project.id, sent, "audienceCondition")

  test("is resolved to its stored form", async () => {
    expect(await check({ ...onPlan("pro"), extra: 1 })).toEqual({ condition: onPlan("pro") })
  })

  test("is resolved to its faults, unknown segments included, each under its path", async () => {
    const unknown = "0199c0de-0000-7000-8000-00000000dead"
    const result = await check(all(field("data.x", "within", 1, "years"), inSegment(unknown)))
    const faults = "faults" in result ? result.faults.map(({ field: path, code }) => [path, code]) : []
    expect(faults.sort()).toEqual([
      ["audienceCondition.groups.0.filters.0.unit", "invalid_enum"],
      ["audienceCondition.groups.0.filters.1.field", "custom"],
    ])
  })

  test("names segments and fields", () => {
    const id = "0199C0DE-0000-7000-8000-00000000000D"
    const condition = all(inSegment(id), field("data.profile.tier", "exists"))
    condition.groups.push({ filters: [], conditions: all(field("email", "contains", "x")) })
    expect([...audiences().segmentsIn(condition)]).toEqual([id.toLowerCase()])
    for (const [name, is] of [
      ["data.profile", true],
      ["data.profile.tier", true],
      ["data.prof", false],
      ["email", true],
      ["subscribed", false],
    ] as const)
      expect([name, audiences().namesTarget(condition, { kind: "field", key: name })]).toEqual([name, is])
  })
})

import { describe, expect, test } from "bun:test"
import type { Segment } from "../../src/modules/segments/index.ts"
import { changed, eventOf, isSegmentEvent, slugOf } from "../../src/modules/segments/rules.ts"

const id = "0199c0de-0000-7000-8000-00000000000d"

test.each([
  ["Trial Users", "trial-users"],
  ["  Big_Spenders (EU) ", "big_spenders-eu"],
  ["A -- B", "a-b"],
  ["-new-", "new"],
  ["VIP – Köln 2024", "vip-kln-2024"],
  ["日本", id],
  ["---", id],
  ["a\t\n b", "a-b"],
  ["a.b/c", "abc"],
  ["É-é", id],
  ["_", "_"],
  ["- a -", "a"],
  ["100%", "100"],
])("the slug of %j is %s", (name, slug) => {
  expect(slugOf({ id, name })).toBe(slug)
})

describe("events of segments", () => {
  test("are named by the slug", () => {
    expect(eventOf({ id, name: "Trial Users" }, "entry")).toBe("segment.trial-users.entry")
    expect(eventOf({ id, name: "日本" }, "exit")).toBe(`segment.${id}.exit`)
  })

  test.each([
    ["segment.vip.entry", true],
    ["segment.a.b.exit", true],
    ["segment.entry", false],
    ["segment.vip.joined", false],
    ["my.segment.vip.entry", false],
    ["segment.vip.entry.x", false],
  ])("%s is one of them: %p", (name, is) => {
    expect(isSegmentEvent(name)).toBe(is)
  })
})

describe("a change", () => {
  const segment: Segment = {
    id,
    projectId: id,
    name: "A",
    description: null,
    type: "DYNAMIC",
    condition: { logic: "AND", groups: [{ filters: [{ field: "email", operator: "contains", value: "x" }] }] },
    trackMembership: false,
    memberCount: 0,
    computeError: null,
    createdAt: 1,
    updatedAt: 1,
  }

  test("that changes nothing is ignored", () => {
    expect(changed(segment, {}, 2)).toBe(segment)
    expect(changed(segment, { name: "A", description: null, condition: structuredClone(segment.condition) }, 2)).toBe(
      segment,
    )
  })

  test("moves what it says, and the time", () => {
    expect(changed(segment, { name: "B", trackMembership: undefined }, 2)).toEqual({
      ...segment,
      name: "B",
      updatedAt: 2,
    })
  })
})

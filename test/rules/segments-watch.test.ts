import { describe, expect, test } from "bun:test"
import type { ConditionJson } from "../../src/conditions/index.ts"
import { createTrees } from "../../src/modules/segments/evaluate/trees.ts"
import { createWatch } from "../../src/modules/segments/incremental/watch.ts"
import type { Segment } from "../../src/modules/segments/index.ts"
import type { Unit } from "../../src/store/writer.ts"
import { all, field, inSegment } from "../harness/segments.ts"

const project = "p"

const segment = (condition: ConditionJson, rest: Partial<Segment> = {}): Segment => ({
  id: "s",
  projectId: project,
  name: "Any",
  description: null,
  type: "DYNAMIC",
  condition,
  trackMembership: true,
  memberCount: 0,
  createdAt: 0,
  updatedAt: 0,
  ...rest,
})

/** A unit that ends when it is told to. */
function openUnit(): { unit: Unit; commit(): void } {
  const later: (() => void)[] = []
  const unit = { now: 0, afterCommit: (run: () => void) => later.push(run) } as unknown as Unit
  const commit = () => {
    for (const run of later) run()
  }
  return { unit, commit }
}

function watching(...segments: Segment[]) {
  const watch = createWatch(createTrees())
  const { unit, commit } = openUnit()
  for (const one of segments) watch.heed(unit, one)
  commit()
  return watch
}

const plan = field("data.plan", "equals", "pro")

describe("what a tracked segment has to hear of", () => {
  test.each<[filter: ReturnType<typeof field>, names: string[]]>([
    [plan, []],
    [field("createdAt", "lessThan", "2026-01-01"), []],
    [field("event.buy", "triggered"), ["buy"]],
    [field("event.buy", "notTriggered"), ["buy"]],
    [field("event.buy", "triggeredWithin", 5, "days"), ["buy", "other", "email.open", "contact.subscribed"]],
    [field("event.segment.vip.entry", "triggered"), []],
    [field("event.segment.vip.joined", "triggered"), ["segment.vip.joined"]],
    [field("event.contact.subscribed", "triggered"), ["contact.subscribed"]],
    [field("event.email.open", "triggered"), ["email.open"]],
    [field("email.opened", "triggered"), ["email.open", "email.click", "email.delivery"]],
    [field("createdAt", "within", 5, "days"), ["buy", "other", "email.open", "contact.subscribed"]],
    [field("data.seen", "olderThan", 5, "days"), ["buy", "other", "email.open"]],
    [inSegment("0199c0de-0000-7000-8000-00000000000d"), ["buy", "other", "email.open"]],
  ])("a condition on %j hears of %j", (filter, names) => {
    const watch = watching(segment(all(plan, filter)))
    for (const name of names) expect([name, watch.concernsEvent(project, name)]).toEqual([name, true])
    const timeless = !names.includes("other")
    if (timeless) expect(watch.concernsEvent(project, "nothing")).toBe(false)
    expect(watch.concernsEvent(project, "segment.vip.entry")).toBe(false)
    expect(watch.concernsChange(project)).toBe(true)
    expect(watch.concernsChange("another")).toBe(false)
    expect(watch.concernsEvent("another", "buy")).toBe(false)
  })

  test("is nothing where membership does not follow contacts", () => {
    const condition = all(field("event.buy", "triggered"))
    for (const rest of [{ trackMembership: false }, { type: "STATIC", condition: null }] as const) {
      const watch = watching(segment(condition, rest))
      expect([watch.concernsChange(project), watch.concernsEvent(project, "buy")]).toEqual([false, false])
    }
  })
})

describe("a change of a segment", () => {
  const buys = segment(all(field("event.buy", "triggered")))
  const looks = segment(all(field("event.look", "triggered")))

  test("is heard of before its commit, and what was before it until then", () => {
    const watch = watching(buys)
    const { unit, commit } = openUnit()
    watch.heed(unit, looks)
    const heard = () => ["buy", "look"].map((name) => watch.concernsEvent(project, name))
    expect(heard()).toEqual([true, true])
    commit()
    expect(heard()).toEqual([false, true])
  })

  test("that is undone hides nothing", () => {
    const watch = watching(buys)
    watch.heed(openUnit().unit, looks)
    watch.heed(openUnit().unit, { ...buys, trackMembership: false })
    watch.drop(openUnit().unit, buys)
    expect(watch.concernsEvent(project, "buy")).toBe(true)
    expect(watch.concernsChange(project)).toBe(true)
  })

  test("that ends tracking, or the segment, ends the hearing with the commit", () => {
    const endings = [
      (watch: ReturnType<typeof watching>, unit: Unit) => watch.heed(unit, { ...buys, trackMembership: false }),
      (watch: ReturnType<typeof watching>, unit: Unit) => watch.drop(unit, buys),
    ]
    for (const end of endings) {
      const watch = watching(buys)
      const { unit, commit } = openUnit()
      end(watch, unit)
      expect(watch.concernsChange(project)).toBe(true)
      commit()
      expect([watch.concernsChange(project), watch.concernsEvent(project, "buy")]).toEqual([false, false])
    }
  })
})

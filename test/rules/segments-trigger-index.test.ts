import { describe, expect, test } from "bun:test"
import type { ConditionJson } from "../../src/conditions/index.ts"
import { createTrees } from "../../src/modules/segments/evaluate/trees.ts"
import { createTriggerIndex } from "../../src/modules/segments/incremental/trigger-index.ts"
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
  computeError: null,
  createdAt: 0,
  updatedAt: 0,
  ...rest,
})

/** A unit whose commit the test triggers. */
function openUnit(): { unit: Unit; commit(): void } {
  const later: (() => void)[] = []
  const unit = { now: 0, afterCommit: (run: () => void) => later.push(run) } as unknown as Unit
  const commit = () => {
    for (const run of later) run()
  }
  return { unit, commit }
}

function indexOf(...segments: Segment[]) {
  const triggers = createTriggerIndex(createTrees())
  const { unit, commit } = openUnit()
  for (const one of segments) triggers.update(unit, one)
  commit()
  for (const one of segments) triggers.settled(ruleOf(one))
  return triggers
}

const ruleOf = (one: Segment) => ({ ...one, condition: JSON.stringify(one.condition) })

const plan = field("data.plan", "equals", "pro")

describe("the trigger index", () => {
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
  ])("of a segment with a filter on %j is concerned with the events %j", (filter, names) => {
    const triggers = indexOf(segment(all(plan, filter)))
    for (const name of names) expect([name, triggers.concernsEvent(project, name)]).toEqual([name, true])
    const timeless = !names.includes("other")
    if (timeless) expect(triggers.concernsEvent(project, "nothing")).toBe(false)
    expect(triggers.concernsEvent(project, "segment.vip.entry")).toBe(false)
    expect(triggers.concernsChange(project)).toBe(true)
    expect(triggers.concernsChange("another")).toBe(false)
    expect(triggers.concernsEvent("another", "buy")).toBe(false)
  })

  test("ignores segments whose membership is not tracked", () => {
    const condition = all(field("event.buy", "triggered"))
    for (const rest of [{ trackMembership: false }, { type: "STATIC", condition: null }] as const) {
      const triggers = indexOf(segment(condition, rest))
      expect([triggers.concernsChange(project), triggers.concernsEvent(project, "buy")]).toEqual([false, false])
    }
  })
})

describe("a change of a segment", () => {
  const buys = segment(all(field("event.buy", "triggered")))
  const looks = segment(all(field("event.look", "triggered")))

  test("makes every event count until all contacts have been evaluated by its condition", () => {
    const triggers = indexOf(buys)
    const counts = () => triggers.concernsEvent(project, "other")
    for (const [changed, isCounted] of [
      [{ ...buys, name: "Buyers" }, false],
      [looks, true],
    ] as const) {
      const { unit, commit } = openUnit()
      triggers.update(unit, changed)
      expect(counts()).toBe(false)
      commit()
      expect(counts()).toBe(isCounted)
    }
    triggers.settled(ruleOf(buys))
    expect(counts()).toBe(true)
    triggers.settled(ruleOf(looks))
    expect(counts()).toBe(false)
  })

  test("counts before its commit, together with the earlier state until then", () => {
    const triggers = indexOf(buys)
    const { unit, commit } = openUnit()
    triggers.update(unit, looks)
    const concerns = () => ["buy", "look"].map((name) => triggers.concernsEvent(project, name))
    expect(concerns()).toEqual([true, true])
    commit()
    triggers.settled(ruleOf(looks))
    expect(concerns()).toEqual([false, true])
  })

  test("that is rolled back hides nothing", () => {
    const triggers = indexOf(buys)
    triggers.update(openUnit().unit, looks)
    triggers.update(openUnit().unit, { ...buys, trackMembership: false })
    triggers.drop(openUnit().unit, buys)
    expect(triggers.concernsEvent(project, "buy")).toBe(true)
    expect(triggers.concernsChange(project)).toBe(true)
  })

  test("that ends tracking, or deletes the segment, counts with its commit", () => {
    const endings = [
      (triggers: ReturnType<typeof indexOf>, unit: Unit) => triggers.update(unit, { ...buys, trackMembership: false }),
      (triggers: ReturnType<typeof indexOf>, unit: Unit) => triggers.drop(unit, buys),
    ]
    for (const end of endings) {
      const triggers = indexOf(buys)
      const { unit, commit } = openUnit()
      end(triggers, unit)
      expect(triggers.concernsChange(project)).toBe(true)
      commit()
      expect([triggers.concernsChange(project), triggers.concernsEvent(project, "buy")]).toEqual([false, false])
    }
  })
})

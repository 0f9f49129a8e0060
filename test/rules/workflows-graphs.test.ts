import { describe, expect, test } from "bun:test"
import { planOf, withUnfinished } from "../../src/modules/workflows/drafts/plan.ts"
import { closingEdges, hasRestlessLoop } from "../../src/modules/workflows/graph.ts"
import type { GraphDocument, Step, StepType } from "../../src/modules/workflows/table.ts"
import { changesRules, diffOf, isEmpty } from "../../src/modules/workflows/whole/diff.ts"

const step = (id: string, type: StepType = "SEND_EMAIL", config: object = {}) =>
  ({ id, type, name: id, position: { x: 0, y: 0 }, config, templateId: null }) as GraphDocument["steps"][number]

/** Transitions as `a>b` for the plain exit, `a>b:yes` for a branch. */
const edges = (...list: string[]) =>
  list.map((text) => {
    const [, fromStepId = "", toStepId = "", branch = ""] = /^(\w+)>(\w+)(?::(\w+))?$/.exec(text) ?? []
    return { id: text, fromStepId, toStepId, branch, priority: 0 }
  })

const graph = (names: string, ...list: string[]): GraphDocument => ({
  steps: [...names].map((id) => step(id)),
  transitions: edges(...list),
})

/** Random whole numbers below a limit, the same in each run. */
function dice(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe("Loops without a rest (contract B5.3.3)", () => {
  /** Whether a step reaches itself over steps that do not rest. */
  function hasLoop(steps: readonly Pick<Step, "id" | "type">[], list: ReturnType<typeof edges>): boolean {
    const restless = new Set(steps.filter(({ type }) => type !== "DELAY").map(({ id }) => id))
    const inner = list.filter((one) => restless.has(one.fromStepId) && restless.has(one.toStepId))
    return [...restless].some((start) => {
      const reached = new Set<string>()
      for (let next = [start]; next.length > 0; ) {
        next = inner.filter(({ fromStepId }) => next.includes(fromStepId)).map(({ toStepId }) => toStepId)
        if (next.includes(start)) return true
        next = next.filter((id) => !reached.has(id))
        for (const id of next) reached.add(id)
      }
      return false
    })
  }

  test("are found in random graphs, and the transitions named are enough to open them", () => {
    const roll = dice(7)
    let loops = 0
    for (let round = 0; round < 500; round++) {
      const names = "abcdefgh".slice(0, 2 + roll(7))
      const steps = [...names].map((id) => step(id, roll(4) === 0 ? "DELAY" : "SEND_EMAIL"))
      const pick = () => names[roll(names.length)]
      const list = edges(...Array.from({ length: roll(12) }, (_, n) => `${pick()}>${pick()}:b${n}`))
      const found = [...closingEdges(steps, list)]
      expect(found.length > 0).toBe(hasLoop(steps, list))
      expect(hasRestlessLoop(steps as Step[], list)).toBe(found.length > 0)
      const opened = list.filter((one) => !found.includes(one))
      expect(hasLoop(steps, opened)).toBe(false)
      if (found.length > 0) loops++
    }
    expect(loops).toBeGreaterThan(50)
  })

  test("of 5,000 steps in a row need no stack", () => {
    const ids = Array.from({ length: 5_000 }, (_, n) => `s${n}`)
    const steps = ids.map((id) => step(id))
    const row = edges(...ids.slice(1).map((id, n) => `s${n}>${id}`))
    expect([...closingEdges(steps, row)]).toEqual([])
    const [back] = edges("s4999>s0")
    expect([...closingEdges(steps, [...row, ...edges("s4999>s0")])]).toEqual(back ? [back] : [])
  })
})

describe("Where contacts go on from steps that go (contract B5.11.4)", () => {
  const moves = (live: GraphDocument, next: GraphDocument, wanted = {}) =>
    Object.fromEntries(planOf(live, diffOf(live, next), wanted).moves)
  const row = graph("tabcd", "t>a", "a>b", "b>c", "c>d")

  test.each([
    ["the plain exit", graph("tbcd"), {}, { a: "b" }],
    ["the next that stays", graph("tcd"), {}, { a: "c", b: "c" }],
    ["nowhere, without an exit", graph("tabc"), {}, { d: null }],
    ["the move", graph("tacd"), { b: "d" }, { b: "d" }],
    ["the end", graph("tacd"), { b: "EXIT" }, { b: null }],
    ["the move of the step behind", graph("tad"), { c: "a" }, { b: "a", c: "a" }],
    ["the move before the exit of the step behind", graph("tad"), { b: "d", c: "EXIT" }, { b: "d", c: null }],
  ])("%s", (_, next, wanted, expected) => {
    expect(moves(row, next, wanted)).toEqual(expected)
  })

  test("a branch is no plain exit, and steps that go in a circle lead nowhere", () => {
    expect(moves(graph("tcx", "t>c", "c>x:yes"), graph("tx"))).toEqual({ c: null })
    expect(moves(graph("tab", "t>a", "a>b", "b>a"), graph("t"))).toEqual({ a: null, b: null })
  })

  test("what is unfinished follows the newer graph", () => {
    const next = graph("tcd")
    const plan = planOf(row, diffOf(row, next))
    const unfinished = { moves: { x: "a", y: "d", z: null, c: "d" }, delays: ["d", "gone"] }
    const whole = withUnfinished(plan, unfinished, next)
    expect(Object.fromEntries(whole.moves)).toEqual({ x: "c", y: "d", z: null, a: "c", b: "c" })
    expect(whole.delays).toEqual(["d"])
    expect(withUnfinished(plan, undefined, next)).toEqual(plan)
  })
})

describe("The difference of two graphs", () => {
  const live = graph("tab", "t>a", "a>b")

  test("is empty for the same graph in another order", () => {
    const same = { steps: live.steps.toReversed(), transitions: live.transitions.toReversed() }
    expect(isEmpty(diffOf(live, same))).toBe(true)
  })

  test("changes no rules when only names and positions differ", () => {
    const moved = { ...live, steps: live.steps.map((one) => ({ ...one, name: "x", position: { x: 9, y: 9 } })) }
    const diff = diffOf(live, moved)
    expect([diff.changed.length, isEmpty(diff), changesRules(diff)]).toEqual([3, false, false])
  })

  test.each([
    ["a step more", graph("tabc", "t>a", "a>b")],
    ["a step less", graph("ta", "t>a")],
    ["a transition less", graph("tab", "t>a")],
    ["another target", { ...live, transitions: live.transitions.map((one) => ({ ...one, toStepId: "b" })) }],
    ["another config", { ...live, steps: live.steps.map((one) => ({ ...one, config: { a: 1 } })) }],
    ["another template", { ...live, steps: live.steps.map((one) => ({ ...one, templateId: "x" })) }],
  ])("changes rules by %s", (_, next) => {
    expect(changesRules(diffOf(live, next))).toBe(true)
  })

  test("a DELAY with the same time is not planned anew", () => {
    const withDelay = (config: object) => ({ ...live, steps: [...live.steps, step("d", "DELAY", config)] })
    const before = withDelay({ amount: 1, unit: "days" })
    const delays = (config: object) => planOf(before, diffOf(before, withDelay(config))).delays
    expect(delays({ amount: 1, unit: "days", note: "x" })).toEqual([])
    expect(delays({ amount: 2, unit: "days" })).toEqual(["d"])
  })
})

import { describe, expect, test } from "bun:test"
import type { StepType } from "../../src/dashboard/api/workflows.ts"
import { drawnEdges } from "../../src/dashboard/pages/workflows/editor/canvas/drawn.ts"
import { layoutOf, pathThrough } from "../../src/dashboard/pages/workflows/editor/canvas/layout.ts"
import { neighbour } from "../../src/dashboard/pages/workflows/editor/canvas/neighbour.ts"
import { numberIn } from "../../src/dashboard/pages/workflows/editor/model/amount.ts"
import { copyText, paste, stepsFrom } from "../../src/dashboard/pages/workflows/editor/model/clipboard.ts"
import { faultsIn } from "../../src/dashboard/pages/workflows/editor/model/faults.ts"
import {
  changeStep,
  freshId,
  type Graph,
  insertStep,
  removeBranch,
  removeStep,
  type Step,
} from "../../src/dashboard/pages/workflows/editor/model/graph.ts"
import { formatSeconds } from "../../src/dashboard/pages/workflows/editor/model/summary.ts"
import { mails } from "../../src/dashboard/pages/workflows/recipes/mails.ts"
import { recipes } from "../../src/dashboard/pages/workflows/recipes/recipes.ts"
import { stepsOf } from "../../src/dashboard/pages/workflows/recipes/steps.ts"

const configs: Partial<Record<StepType, object>> = {
  DELAY: { amount: 1, unit: "days" },
  CONDITION: { field: "data.plan", operator: "equals", value: "pro" },
}

const step = (id: string, type: StepType, config = configs[type] ?? {}): Step => ({
  id,
  type,
  name: id,
  config: { ...config },
  templateId: null,
})

/** `a>b`, or `a:yes>b` for a branch. */
const link = (text: string) => {
  const [start = "", to = ""] = text.split(">")
  const [from = "", branch = ""] = start.split(":")
  return { from, branch, to }
}

/** t d c, with a behind `yes` and b behind `no`. */
const graph: Graph = {
  steps: [step("t", "TRIGGER"), step("d", "DELAY"), step("c", "CONDITION"), step("a", "EXIT"), step("b", "DELAY")],
  links: ["t>d", "d>c", "c:yes>a", "c:no>b"].map(link),
}

const said = ({ steps, links }: Graph) =>
  `${steps.map(({ id }) => id).join(" ")}: ${links.map(({ from, branch, to }) => `${from}${branch && `:${branch}`}>${to}`).join(" ")}`

describe("a graph", () => {
  test("takes a step between two others, and at an open exit", () => {
    expect(said(insertStep(graph, { from: "d", branch: "" }, step("x", "DELAY")))).toBe(
      "t d c a b x: t>d c:yes>a c:no>b d>x x>c",
    )
    expect(said(insertStep(graph, { from: "b", branch: "" }, step("x", "EXIT")))).toBe(
      "t d c a b x: t>d d>c c:yes>a c:no>b b>x",
    )
  })

  test("leads what came after a branch to its first exit", () => {
    expect(said(insertStep(graph, { from: "t", branch: "" }, step("x", "CONDITION")))).toBe(
      "t d c a b x: d>c c:yes>a c:no>b t>x x:yes>d",
    )
  })

  test("loses a step, and what led to it leads on", () => {
    expect(said(removeStep(graph, "d", "c"))).toBe("t c a b: t>c c:yes>a c:no>b")
    expect(said(removeStep(graph, "b", null))).toBe("t d c a: t>d d>c c:yes>a")
  })

  test("loses a branch with all that only it leads to", () => {
    const merged = { ...graph, links: [...graph.links, link("b>d")] }
    expect(said(removeBranch(merged, "c"))).toBe("t d: t>d")
    expect(said(removeBranch(graph, "a"))).toBe("t d c b: t>d d>c c:no>b")
  })

  test("keeps what comes after the first and the last exit when a condition gets several branches", () => {
    const branches = [{ id: "b1" }, { id: "b2" }]
    const multi = changeStep(graph, "c", { config: { mode: "multi", field: "data.plan", branches } })
    expect(said(multi)).toBe("t d c a b: t>d d>c c:b1>a c:default>b")
    expect(said(changeStep(multi, "c", { config: { field: "data.plan" } }))).toBe(said(graph))
    expect(said(changeStep(multi, "c", { config: { mode: "multi", branches: [{ id: "b2" }] } }))).toBe(
      "t d c a b: t>d d>c c:default>b",
    )
  })

  test("gives new steps ids of their own", () => {
    expect(freshId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })
})

describe("copied steps", () => {
  test("have new ids, and the transitions between them", () => {
    const copied = stepsFrom(copyText(graph, new Set(["t", "d", "c"])) ?? "")
    expect(copied?.steps.map(({ name }) => name)).toEqual(["d", "c"])
    expect(copied?.links).toEqual([{ from: copied?.steps[0]?.id ?? "", branch: "", to: copied?.steps[1]?.id ?? "" }])
    expect(graph.steps.some(({ id }) => id === copied?.steps[0]?.id)).toBe(false)
  })

  test("are put where something comes after only if they lead on", () => {
    const [exit, rest] = ["a", "b"].map((id) => stepsFrom(copyText(graph, new Set([id])) ?? ""))
    if (!exit || !rest) throw new Error("nothing copied")
    expect(paste(graph, { from: "t", branch: "" }, exit)).toBeNull()
    expect(paste(graph, { from: "b", branch: "" }, exit)?.links).toHaveLength(5)
    expect(paste(graph, { from: "t", branch: "" }, rest)?.links).toHaveLength(5)
  })

  test("are told from any other text of the clipboard", () => {
    const foreign = '{"mailstead.steps":1,"steps":[{"id":"a","type":"RUN","name":"x","config":{}}],"links":[]}'
    expect(["", "{}", "[1]", "null", '{"steps":[]}', foreign].map(stepsFrom)).toEqual(Array(6).fill(null))
    expect(copyText(graph, new Set(["t"]))).toBeNull()
  })
})

describe("the faults of a graph", () => {
  const trigger = { triggerType: "EVENT", eventName: "signup" } as const
  const found = (steps: readonly Step[], links: readonly string[]) =>
    faultsIn({ steps, links: links.map(link) }, trigger, { isGone: (id) => id !== "known" }).map(
      ({ stepId, key, isHint }) => `${stepId}${key && `.${key}`}${isHint ? " (hint)" : ""}`,
    )
  const t = step("t", "TRIGGER")

  test("tell a step that nothing leads to from those behind it", () => {
    const steps = [t, step("a", "EXIT"), step("b", "DELAY", { amount: 1, unit: "days" }), step("c", "EXIT")]
    const links = [link("t>a"), link("b>c")]
    const texts = faultsIn({ steps, links }, trigger, { isGone: () => false }).map(({ stepId, text }) => [stepId, text])
    expect(texts).toEqual([
      ["b", "Nothing leads to this step."],
      ["c", "It is not reached from the trigger."],
    ])
  })

  test.each([
    [step("x", "SEND_EMAIL"), ["x.templateId"]],
    [{ ...step("x", "SEND_EMAIL"), templateId: "gone" }, ["x.templateId"]],
    [
      { ...step("x", "SEND_EMAIL", { recipient: { type: "CUSTOM", customEmail: "{{owner}}" } }), templateId: "known" },
      [],
    ],
    [
      { ...step("x", "SEND_EMAIL", { recipient: { type: "CUSTOM", customEmail: "no" } }), templateId: "known" },
      ["x.recipient"],
    ],
    [step("x", "DELAY", { amount: 0, unit: "days" }), ["x.amount"]],
    [step("x", "DELAY", { amount: 366, unit: "days" }), ["x.amount"]],
    [step("x", "WAIT_FOR_EVENT", { eventName: " ", timeout: 0 }), ["x.eventName", "x.timeout"]],
    [step("x", "WAIT_FOR_EVENT", { eventName: "buy" }), []],
    [step("x", "CONDITION", {}), ["x.field"]],
    [step("x", "CONDITION", { field: "data.plan", operator: "equals" }), ["x.value"]],
    [step("x", "CONDITION", { field: "data.plan", operator: "exists" }), []],
    [step("x", "CONDITION", { mode: "multi", field: "data.plan", branches: [] }), ["x.branches"]],
    [step("x", "WEBHOOK", { url: "ftp://example.com" }), ["x.url"]],
    [step("x", "WEBHOOK", { url: "https://example.com" }), []],
    [step("x", "UPDATE_CONTACT", { updates: {} }), ["x.updates"]],
    [step("x", "UPDATE_CONTACT", { subscriptionAction: "subscribe" }), []],
    [step("x", "EXIT"), []],
  ])("name what a step lacks: %j", (one, faults) => {
    expect(found([t, one], ["t>x"])).toEqual(faults)
  })

  test("name a circle without a rest, but none with one", () => {
    const [x, y, d] = [
      step("x", "EXIT"),
      step("y", "UPDATE_CONTACT", { subscriptionAction: "subscribe" }),
      step("d", "DELAY"),
    ]
    const hook = step("h", "WEBHOOK", { url: "https://example.com" })
    expect(found([t, y, hook, x], ["t>y", "y>h", "h>y"])).toEqual(["y", "h", "x (hint)"])
    expect(found([t, y, d], ["t>y", "y>d", "d>y"])).toEqual([])
  })

  test("hint at steps that nothing leads to, and at a start without steps", () => {
    expect(found([t, step("x", "EXIT")], [])).toEqual(["t (hint)", "x (hint)"])
  })
})

describe("the layout", () => {
  const layout = layoutOf(graph)
  const at = (id: string) => layout.steps.get(id) ?? { x: Number.NaN, y: Number.NaN }

  test("has the trigger in its place whatever the graph, and runs from top to bottom", () => {
    expect(at("t")).toEqual(layoutOf({ steps: [step("t", "TRIGGER")], links: [] }).steps.get("t") ?? { x: 0, y: 0 })
    expect(["t", "d", "c", "a"].map((id) => at(id).y)).toEqual(
      ["t", "d", "c", "a"].map((id) => at(id).y).sort((p, q) => p - q),
    )
  })

  test("has the exits of a step from left to right in their order", () => {
    expect(at("a").x).toBeLessThan(at("b").x)
    const open = layoutOf({ steps: [step("t", "TRIGGER"), step("c", "CONDITION")], links: [link("t>c")] })
    const [yes, no] = open.exits.filter(({ from }) => from === "c").map(({ middle }) => middle.x)
    expect(yes).toBeLessThan(no ?? Number.NaN)
  })

  test("tells a reader of the screen from which step to which each line leads", () => {
    const none = { summary: () => "", fault: () => null, people: () => null, passed: () => null, isLit: () => false }
    const edges = drawnEdges(graph, layout, { ...none, trace: () => null })
    expect(edges.map(({ ariaLabel }) => ariaLabel ?? "").sort()).toEqual([
      "From b, to nothing yet",
      "From c, No, to b",
      "From c, Yes, to a",
      "From d, to c",
      "From t, to d",
    ])
  })

  test("leads the arrow keys from step to line to step", () => {
    const way = ["t"]
    for (let stop: string | null = "t"; stop && way.length < 5; ) {
      stop = neighbour(layout, stop, "down", true)
      if (stop) way.push(stop)
    }
    expect(way.slice(0, 5)).toEqual(["t", "t>", "d", "d>", "c"])
    expect(neighbour(layout, "a", "right", false)).toBe("b")
    expect(neighbour(layout, "t", "up", true)).toBeNull()
  })

  test("draws lines with round corners", () => {
    expect(
      pathThrough([
        { x: 0, y: 0 },
        { x: 0, y: 40 },
      ]),
    ).toBe("M 0 0 L 0 40")
    expect(
      pathThrough([
        { x: 0, y: 0 },
        { x: 100, y: 80 },
      ]),
    ).toBe("M 0 0 L 0 26 Q 0 40 14 40 L 86 40 Q 100 40 100 54 L 100 80")
  })
})

test("times are in the largest unit that fits", () => {
  expect([60, 3_600, 86_400, 259_200, 90].map(formatSeconds)).toEqual([
    "1 minute",
    "1 hour",
    "1 day",
    "3 days",
    "90 seconds",
  ])
})

test.each(recipes)(
  "the recipe $name is a graph without faults, and every mail of it has a text",
  ({ id, eventName }) => {
    const parts = stepsOf[id] ?? []
    const steps = parts.map(({ key, type, name, config = {}, mail }) => {
      expect(mail === undefined || mails[mail] !== undefined).toBe(true)
      return { id: key, type, name, config, templateId: mail ?? null }
    })
    const links = parts.map(({ after, branch = "", key }) => ({ from: after, branch, to: key }))
    const whole = { steps: [step("", "TRIGGER"), ...steps], links }
    const faults = faultsIn(
      { ...whole, steps: whole.steps.map((one) => ({ ...one, name: one.name || "Trigger" })) },
      { triggerType: "EVENT", eventName },
      { isGone: () => false },
    )
    expect(faults).toEqual([])
    expect(parts.length).toBeGreaterThan(2)
  },
)

test.each<[string, number | undefined]>([
  ["30", 30],
  [" 1,440 ", 1_440],
  ["1,234,567.5", 1_234_567.5],
  ["1.5", 1.5],
  ["1,5", 1.5],
  ["1,50", 1.5],
  ["", undefined],
  ["1,2,3", undefined],
  ["soon", undefined],
])("the amount %j is the number %p", (typed, amount) => {
  expect(numberIn(typed)).toBe(amount as number)
})

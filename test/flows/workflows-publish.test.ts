import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fieldsOf } from "../harness/scenarios.ts"
import { inRow, newScenario, steps, type TestStep, type TestWorkflow, traces } from "../harness/workflows.ts"

const { mail, delay, wait, exit } = steps

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

// biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
type Graph = any

/** Saves a changed graph as the draft of a workflow. */
async function redraft({ id }: TestWorkflow, change: (graph: Graph) => Graph) {
  const path = `/workflows/${id}`
  const { steps, transitions } = (await it.api(`GET ${path}`)).body
  const saved = await it.api(`PUT ${path}/draft`, { body: change({ steps, transitions }) })
  expect([saved.status, saved.body.faults]).toEqual([200, []])
  const publish = (moves?: object) => it.api(`POST ${path}/publish`, { body: { version: saved.body.version, moves } })
  const impact = async () => (await it.api(`GET ${path}/draft`)).body.impact
  return { publish, impact }
}

/** The graph without these steps; a transition to one of them leads where that one led. */
const without =
  (...ids: (string | undefined)[]) =>
  ({ steps, transitions }: Graph) => ({
    steps: steps.filter(({ id }: Graph) => !ids.includes(id)),
    transitions: transitions.filter((one: Graph) => !ids.includes(one.fromStepId) && !ids.includes(one.toStepId)),
  })

const withConfig = (id: string | undefined, config: object) => (graph: Graph) => ({
  ...graph,
  steps: graph.steps.map((step: Graph) => (step.id === id ? { ...step, config } : step)),
})

const named = (label: string, step: TestStep): TestStep => ({ ...step, label })

describe("Publishing while contacts are in the workflow (contract B5.11.4)", () => {
  test("those on a step that goes follow its plain exit at once, and everybody else goes on", async () => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(delay(1, "days"), mail("R"), named("D2", delay(2, "days")), mail("R2")))
    await run.track("s")
    await run.at(day)
    const other = await run.contact({})
    await run.track("s", { of: other })
    const { publish, impact } = await redraft(flow, without(flow.ids.get("D")))
    expect(await impact()).toMatchObject({
      people: 1,
      sentences: ['1 person stands on "D", which is removed: they go on to "R".'],
      removed: [{ stepId: flow.ids.get("D"), name: "D", people: 1, goesTo: flow.ids.get("R") }],
      steps: { added: 0, changed: 0, removed: 1 },
    })
    expect((await publish()).status).toBe(200)
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T D R D2(SCHEDULED); WAITING", "T D(SKIPPED) R D2(SCHEDULED); WAITING"])
    await run.at(3 * day)
    expect(await traces(it, flow)).toEqual(["T D R D2 R2; COMPLETED", "T D(SKIPPED) R D2 R2; COMPLETED"])
    expect(await run.mails()).toEqual(["R at 1440", "R2 at 4320"])
  })

  test("they follow moves, to a step or to the end", async () => {
    const run = await newScenario(it)
    const flow = await run.start(
      inRow(delay(1, "days"), wait(run.own("buy"), undefined), mail("R"), named("X", exit("done"))),
    )
    await run.track("s")
    await run.at(day)
    const other = await run.contact({})
    await run.track("s", { of: other })
    const [D, W, R, X] = ["D", "W", "R", "X"].map((label) => flow.ids.get(label))
    const { publish } = await redraft(flow, without(D, W))
    expect((await publish({ [String(W)]: X, [String(D)]: "EXIT" })).status).toBe(200)
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T D W(SKIPPED) X; EXITED done", "T D(SKIPPED); EXITED step_removed"])
    await run.track("buy")
    await run.at(4 * day)
    expect(await run.mails()).toEqual([])
    expect(R).toBeString()
  })

  test("moves are checked, and change nothing when they are wrong", async () => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(delay(1, "days"), mail("R")))
    const [T, D, R] = ["T", "D", "R"].map((label) => String(flow.ids.get(label)))
    const { publish } = await redraft(flow, without(D))
    for (const moves of [
      { [R as string]: "EXIT" },
      { [D as string]: T },
      { [D as string]: D },
      { [D as string]: "x" },
    ]) {
      const refused = await publish(moves)
      expect([refused.status, Object.values(fieldsOf(refused))]).toEqual([422, ["custom"]])
    }
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`s${n}`, "EXIT"]))
    expect(fieldsOf(await publish(many))).toEqual({ moves: "too_big" })
    expect((await it.api(`GET /workflows/${flow.id}`)).body.steps.length).toBe(3)
  })

  test("the exit of a step that goes may lead to others that go; without one the way ends", async () => {
    const run = await newScenario(it)
    const flow = await run.start(
      inRow(delay(1, "hours"), named("D2", delay(2, "hours")), mail("R"), named("D3", delay(3, "hours"))),
    )
    await run.track("s")
    const [D, D2, D3] = ["D", "D2", "D3"].map((label) => flow.ids.get(label))
    await (await redraft(flow, without(D, D2))).publish()
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T D(SKIPPED) R D3(SCHEDULED); WAITING"])
    await (await redraft(flow, without(D3))).publish()
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T D(SKIPPED) R D3(SKIPPED); EXITED step_removed"])
  })

  test("a webhook that is under way is not answered any more", async () => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(steps.webhook({ url: "https://gone.invalid/" }), mail("R")))
    await run.track("s")
    const before = (await traces(it, flow))[0]
    expect(before).toBe("T H(RUNNING); RUNNING")
    await (await redraft(flow, without(flow.ids.get("H")))).publish()
    await run.at(hour)
    expect(await traces(it, flow)).toEqual(["T H(SKIPPED) R; COMPLETED"])
  })
})

describe("A changed DELAY (contract B5.11.5)", () => {
  test.each([
    ["is longer", 3, [0, 1.9, 3] as const, ["WAITING", "WAITING", "COMPLETED"]],
    ["is shorter", 1, [0, 0.9, 1] as const, ["WAITING", "WAITING", "COMPLETED"]],
  ])("%s: it counts from the start of the rest", async (_, amount, hours, statuses) => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(delay(2, "hours"), mail("R")))
    await run.track("s")
    await run.at(30 * minute)
    const { publish, impact } = await redraft(flow, withConfig(flow.ids.get("D"), { amount, unit: "hours" }))
    const to = amount === 1 ? "1 hour" : `${amount} hours`
    expect((await impact()).sentences).toEqual([`1 person waits on "D", which changes from 2 hours to ${to}.`])
    await publish()
    const { body } = await it.api(`GET /workflows/${flow.id}/executions`)
    const one = await it.api(`GET /workflows/${flow.id}/executions/${body.data[0].id}`)
    const [, rest] = one.body.stepExecutions
    expect(Date.parse(rest.scheduledFor) - Date.parse(rest.startedAt)).toBe(amount * hour)
    const seen: string[] = []
    for (const time of hours) {
      await run.at(time * hour)
      seen.push(String((await traces(it, flow))[0]?.split("; ")[1]))
    }
    expect(seen).toEqual(statuses)
    expect(await run.mails()).toEqual([`R at ${amount * 60}`])
  })

  test("is over at once when its new end has passed; a wait keeps its own", async () => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(delay(1, "days"), mail("R"), wait(run.own("buy"), 60), mail("R2")))
    await run.track("s")
    await run.at(2 * hour)
    await (await redraft(flow, withConfig(flow.ids.get("D"), { amount: 1, unit: "hours" }))).publish()
    await it.settle()
    expect(await run.mails()).toEqual(["R at 120"])
    const longer = { eventName: run.own("buy"), timeout: 7_200 }
    await (await redraft(flow, withConfig(flow.ids.get("W"), longer))).publish()
    await run.at(3 * hour)
    expect(await run.mails()).toEqual(["R at 120", "R2 at 180"])
  })

  test("counts from when the clock was set back, where the rest began while it was ahead", async () => {
    const run = await newScenario(it)
    const flow = await run.start(inRow(delay(1, "days"), mail("R")))
    it.clock.jump(30 * day)
    await run.track("s")
    it.clock.jump(-30 * day)
    await it.settle()
    await (await redraft(flow, withConfig(flow.ids.get("D"), { amount: 2, unit: "days" }))).publish()
    await run.at(1.9 * day, 2 * day)
    expect(await run.mails()).toEqual(["R at 2880"])
  })
})

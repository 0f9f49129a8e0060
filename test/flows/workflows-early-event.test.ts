import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, inRow, newScenario, steps, type TestStep, traces } from "../harness/workflows.ts"

const { mail, delay, wait, update, exit } = steps

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

/** A contact with events that come one right after the other: the workflow that the first one starts has yet to run. */
async function scenario() {
  const run = await newScenario(it)
  const record = async (...names: string[]) => {
    for (const name of names)
      await it.api("POST /v1/track", { body: { event: run.own(name), email: run.K.email, data: { name } } })
  }
  const buying = (exits: Record<string, TestStep> = {}) =>
    wait(run.own("buy"), 60, { "": exit("bought"), timeout: exit("late"), ...exits })
  return { ...run, record, buying }
}

describe("An event that comes before a wait for it has begun (contract B5.4.4)", () => {
  test.each([
    ["right after the event that started the workflow ends the wait", ["s", "buy"], "T W X; EXITED bought"],
    ["before the event that started the workflow does not", ["buy", "s"], "T W(WAITING); WAITING"],
  ])("%s", async (_, names, trace) => {
    const { start, record, buying } = await scenario()
    const flow = await start(buying())
    await record(...names)
    await it.settle()
    expect(await traces(it, flow)).toEqual([trace])
  })

  test("ends it also after steps that need no time, and a wait after that by the next event", async () => {
    const { start, record, buying, own } = await scenario()
    const next = wait(own("pay"), 60, { "": exit("paid") })
    const flow = await start(inRow(mail("R"), update({ updates: { seen: "yes" } }), buying({ "": next })))
    await record("pay", "s", "buy", "pay")
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T R U W W X; EXITED paid"])
  })

  test("does not end it when a rest is between", async () => {
    const { start, record, buying } = await scenario()
    const flow = await start(inRow(delay(1, "hours"), buying()))
    await record("s", "buy")
    await it.settle()
    await it.advance({ minutes: 61 })
    expect(await traces(it, flow)).toEqual(["T D W(WAITING); WAITING"])
  })

  test("does not end it when the workflow itself has caused it", async () => {
    const { start, record } = await scenario()
    const flow = await start(
      inRow(update({ subscriptionAction: "unsubscribe" }), wait("contact.unsubscribed", 60, { timeout: exit("late") })),
    )
    await record("s")
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T U W(WAITING); WAITING"])
    // Which makes one step at a time.
    const { body } = await it.api(`POST /workflows/${flow.id}/simulate`, { body: {} })
    expect([body.status, body.exitReason]).toEqual(["EXITED", "late"])
  })

  test("does not end it when the execution was started by hand, at the same time", async () => {
    const { start, record, buying, K } = await scenario()
    const flow = await start(buying())
    await record("buy")
    await it.settle()
    await it.api(`POST /workflows/${flow.id}/executions`, { body: { contactId: K.id } })
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T W(WAITING); WAITING"])
  })

  test("ends it by the first one that the filter matches", async () => {
    const { own, record } = await scenario()
    const filter = { logic: "AND", groups: [{ filters: [{ field: "event.name", operator: "equals", value: "buy" }] }] }
    const step = wait(own("buy"), 60, { "": exit("bought") })
    const flow = await createWorkflow(it, own("s"), { ...step, config: { ...step.config, filter } })
    await record("s", "buy")
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T W X; EXITED bought"])
  })

  test("ends it also when many come before it that the filter does not match (contract B5.4.10)", async () => {
    const { own, K } = await scenario()
    const filter = { logic: "AND", groups: [{ filters: [{ field: "event.n", operator: "equals", value: 249 }] }] }
    const step = wait(own("buy"), 60, { "": exit("bought") })
    const flow = await createWorkflow(it, own("s"), { ...step, config: { ...step.config, filter } })
    const record = (name: string, data = {}) =>
      it.api("POST /v1/track", { body: { event: own(name), email: K.email, data } })
    await record("s")
    for (let n = 0; n < 250; n++) await record("buy", { n })
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T W X; EXITED bought"])
  })
})

describe("An event that would start a workflow again, right after another (contract B0.4, B5.5.2)", () => {
  const again = { allowReentry: true }

  test.each<[string, (of: Awaited<ReturnType<typeof scenario>>) => TestStep, string[], string[]]>([
    [
      "starts it when the first execution needed no time",
      () => mail("R"),
      ["s", "s"],
      ["T R; COMPLETED", "T R; COMPLETED"],
    ],
    [
      "starts it when the first execution was ended by an event between them",
      ({ buying }) => buying(),
      ["s", "buy", "s"],
      ["T W X; EXITED bought", "T W(WAITING); WAITING"],
    ],
    [
      "does not when the first execution waits for what comes later",
      ({ buying }) => buying(),
      ["s", "s", "buy"],
      ["T W X; EXITED bought"],
    ],
    [
      "does not when it is what the first execution waits for",
      ({ own }) => wait(own("s"), 60, { "": exit("again") }),
      ["s", "s"],
      ["T W X; EXITED again"],
    ],
    ["does not when the first execution rests", () => delay(1, "hours"), ["s", "s"], ["T D(SCHEDULED); WAITING"]],
  ])("%s", async (_, first, names, expected) => {
    const run = await scenario()
    const flow = await run.start(first(run), again)
    await run.record(...names)
    await it.settle()
    expect(await traces(it, flow)).toEqual(expected)
  })

  test("starts it also when another contact is yet to run, and the contact in another workflow", async () => {
    const { start, record, contact } = await scenario()
    const once = await start(mail("R"))
    const flow = await start(mail("R"), again)
    await it.api(`POST /workflows/${flow.id}/executions`, { body: { contactId: (await contact({})).id } })
    await record("s", "s")
    await it.settle()
    const done = "T R; COMPLETED"
    expect([await traces(it, once), await traces(it, flow)]).toEqual([[done], [done, done, done]])
  })

  test("does not when the first execution waits for what it has caused itself", async () => {
    const { start, record } = await scenario()
    const waiting = wait("contact.unsubscribed", 60, { "": exit("by itself") })
    const flow = await start(inRow(update({ subscriptionAction: "unsubscribe" }), waiting), again)
    await record("s", "s")
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T U W(WAITING); WAITING"])
  })

  test("starts it also when a step of the first execution fails", async () => {
    const { start, record, K } = await scenario()
    const flow = await start(update({ updates: { more: "x".repeat(60_000) } }), again)
    await it.api(`PATCH /contacts/${K.id}`, { body: { data: { filler: "x".repeat(250_000) } } })
    await record("s", "s")
    await it.settle()
    await it.advance({ seconds: 1 })
    const failed = "T U(FAILED); FAILED step_failed"
    expect(await traces(it, flow)).toEqual([failed, failed])
  })
})

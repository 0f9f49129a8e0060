import { afterAll, beforeAll, expect, test } from "bun:test"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, inRow, newScenario, steps, traces } from "../harness/workflows.ts"

const { delay, mail, update, wait } = steps

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const executions = async ({ id }: { id: string }): Promise<number> =>
  (await it.api(`GET /workflows/${id}/executions`)).body.total

test("an address that is tracked again and again starts a workflow 20 times an hour (contract B5.5.4)", async () => {
  const { start, track, at, mails } = await newScenario(it)
  const flow = await start(mail("R"), { allowReentry: true })
  for (let count = 0; count < 25; count++) await track("s")
  expect([await executions(flow), (await mails()).length]).toEqual([20, 20])
  await at(hour)
  await track("s")
  expect(await executions(flow)).toBe(21)
})

test("what was started while the clock was ahead does not count once it is set back (contract B5.5.4)", async () => {
  const { start, track } = await newScenario(it)
  const flow = await start(mail("R"), { allowReentry: true })
  it.clock.jump(30 * day)
  for (let count = 0; count < 20; count++) await track("s")
  it.clock.jump(-30 * day)
  for (let count = 0; count < 25; count++) await track("s")
  expect(await executions(flow)).toBe(40)
})

test("a circle with a delay of next to nothing rests a second each time (contract B5.4.3)", async () => {
  const { start, track, at } = await newScenario(it)
  const flow = await start(inRow(delay(1e-9, "minutes"), update({ updates: { seen: true } })))
  const [D = "", U = ""] = ["D", "U"].map((label) => flow.ids.get(label))
  const body = { fromStepId: U, toStepId: D }
  expect((await it.api(`POST /workflows/${flow.id}/transitions`, { body })).status).toBe(201)
  await track("s")
  const taken = async () => {
    const [{ id }] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data
    const { status, stepExecutions } = (await it.api(`GET /workflows/${flow.id}/executions/${id}`)).body
    return [status, stepExecutions.length]
  }
  expect(await taken()).toEqual(["WAITING", 2])
  await at(1_000)
  await at(2_000)
  expect(await taken()).toEqual(["WAITING", 6])
})

test("an address that data names gets 20 mails of workflows an hour, whoever is tracked (contract B5.4.11)", async () => {
  const { start, contact, track, at } = await newScenario(it)
  const toData = { type: "CUSTOM", customEmail: "{{event.to}}" }
  const flow = await start(mail("R", toData))
  const before = it.sent().length
  const trackWith = async (to: string) => track("s", { of: await contact({}), data: { to } })
  for (let count = 0; count < 10; count++) {
    await trackWith("bombed@example.com")
    await trackWith(`Bombed+${count}@Example.com`)
  }
  for (let count = 0; count < 5; count++) await trackWith(`bombed+more${count}@example.com`)
  expect(it.sent().length - before).toBe(20)
  expect((await traces(it, flow)).slice(-2)).toEqual(Array(2).fill("T R(FAILED); FAILED step_failed"))
  const [{ id }] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data
  const { stepExecutions } = (await it.api(`GET /workflows/${flow.id}/executions/${id}`)).body
  expect(stepExecutions.at(-1).error).toContain("20 mails in an hour")

  await trackWith("other@example.com")
  expect(it.sent().length - before).toBe(21)
  await at(hour)
  await trackWith("bombed@example.com")
  expect(it.sent().length - before).toBe(22)
})

test("so many tracked at once do not get more through (contract B5.4.11)", async () => {
  const { start, contact, own } = await newScenario(it)
  await start(mail("R", { type: "CUSTOM", customEmail: "{{event.to}}" }))
  const before = it.sent().length
  const body = async () => ({ email: (await contact({})).email, event: own("s"), data: { to: "flood@example.com" } })
  for (let count = 0; count < 40; count++) await it.api("POST /v1/track", { body: await body() })
  await it.settle()
  expect(it.sent().length - before).toBe(20)
})

test("a custom address without placeholders has no such limit (contract B5.4.11)", async () => {
  const { start, contact, track } = await newScenario(it)
  await start(mail("R", { type: "CUSTOM", customEmail: "sales@acme.test" }))
  const before = it.sent().length
  for (let count = 0; count < 25; count++) await track("s", { of: await contact({}) })
  expect(it.sent().length - before).toBe(25)
})

test("a circle that waits for its own mails sends 20 of them in ten minutes (contract B5.4.12)", async () => {
  const { start, track, mails } = await newScenario(it)
  const flow = await start(inRow(mail("R"), wait("email.sent", undefined)))
  const [R = "", W = ""] = ["R", "W"].map((label) => flow.ids.get(label))
  const body = { fromStepId: W, toStepId: R }
  expect((await it.api(`POST /workflows/${flow.id}/transitions`, { body })).status).toBe(201)
  await track("s")
  await it.settle()
  expect((await mails()).length).toBe(20)
  const [way = ""] = await traces(it, flow)
  expect(way).toEndWith("R(FAILED); FAILED step_failed")
})

test("a circle that rests a minute between its mails goes on (contract B5.4.12)", async () => {
  const { start, track, at, mails } = await newScenario(it)
  const flow = await start(inRow(mail("R"), delay(1, "minutes")))
  const [R = "", D = ""] = ["R", "D"].map((label) => flow.ids.get(label))
  await it.api(`POST /workflows/${flow.id}/transitions`, { body: { fromStepId: D, toStepId: R } })
  await track("s")
  for (let count = 1; count < 25; count++) await at(count * minute)
  expect((await mails()).length).toBe(25)
})

test("starts by hand do not count among those by events (contract B5.5.4)", async () => {
  const { start, track, K } = await newScenario(it)
  const flow = await start(mail("R"), { allowReentry: true })
  for (let count = 0; count < 20; count++) {
    await it.api(`POST /workflows/${flow.id}/executions`, { body: { contactId: K.id } })
    await it.settle()
  }
  await track("s")
  expect(await executions(flow)).toBe(21)
})

test("events of one contact start workflows 200 times a day (contract B5.5.4)", async () => {
  const { start, track, at, own, contact } = await newScenario(it)
  const flows = []
  for (let count = 0; count < 10; count++) flows.push(await start(undefined, { allowReentry: true }))
  for (let count = 0; count < 19; count++) await track("s")
  const flow = await createWorkflow(it, own("t"), undefined, { allowReentry: true })
  await track("t")
  await track("s")
  await track("t")
  const counts = await Promise.all(flows.map(executions))
  expect([counts.reduce((sum, one) => sum + one), await executions(flow)]).toEqual([199, 1])
  await track("t", { of: await contact({}) })
  await at(day - minute)
  await track("t")
  expect(await executions(flow)).toBe(2)
  await at(day)
  await track("t")
  expect(await executions(flow)).toBe(3)
})

test("workflows that start each other come to an end (contract B5.5.4)", async () => {
  const { K } = await newScenario(it)
  const off = await createWorkflow(it, "contact.subscribed", update({ subscriptionAction: "unsubscribe" }), {
    allowReentry: true,
  })
  const on = await createWorkflow(it, "contact.unsubscribed", update({ subscriptionAction: "subscribe" }), {
    allowReentry: true,
  })
  await it.api(`PATCH /contacts/${K.id}`, { body: { subscribed: false } })
  await it.settle()
  expect([await executions(on), await executions(off)]).toEqual([20, 20])
})

test("a change of the contact that is refused fails its step, and nothing of it is stored (contract B5.7)", async () => {
  const { start, track, K, contact } = await newScenario(it, {})
  const flow = await start(inRow(mail("R"), update({ updates: { long: "{{long}}", short: "x" } })))
  const other = await contact({})
  const filler = "x".repeat(100_000)
  await it.api(`PATCH /contacts/${K.id}`, { body: { data: { filler } } })
  await track("s", { data: { long: { value: "x".repeat(200_000), persistent: false } } })
  await track("s", { of: other })
  expect(await traces(it, flow)).toEqual(["T R U(FAILED); FAILED step_failed", "T R U; COMPLETED"])
  expect((await it.api(`GET /contacts/${K.id}`)).body.data).toEqual({ filler })
})

test("events are handled at once although a step that the event before has led to fails (contract B5.5.2)", async () => {
  const { start, own, K, contact } = await newScenario(it, { filler: "x".repeat(100_000) })
  const flow = await start(inRow(mail("R"), update({ updates: { long: "{{long}}" } })), { allowReentry: true })
  const other = await contact({})
  const long = { value: "x".repeat(200_000), persistent: false }
  for (const { email } of [K, K, other])
    await it.api("POST /v1/track", { body: { event: own("s"), email, data: email === K.email ? { long } : {} } })
  await it.settle()
  const failed = "T R U(FAILED); FAILED step_failed"
  expect(await traces(it, flow)).toEqual([failed, failed, "T R U; COMPLETED"])
})

import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { newScenario, steps, traces } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test("A wait ends with the first event that its filter matches (contract B5.4.10)", async () => {
  const { body } = await it.api("POST /workflows", { body: { name: "Big orders", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  const filter = { logic: "AND", groups: [{ filters: [{ field: "event.amount", operator: "gt", value: 100 }] }] }
  const config = { eventName: "buy", timeout: 3_600, filter }
  expect((await it.api(`POST ${path}/steps`, { body: { type: "WAIT_FOR_EVENT", name: "W", config } })).status).toBe(201)
  await it.api(`PATCH ${path}`, { body: { enabled: true } })
  const track = async (event: string, data: object) => {
    await it.api("POST /v1/track", { body: { email: "ada@example.com", event, data } })
    await it.advance({ minutes: 1 })
  }
  const statuses = async () => {
    const answer = await it.api(`GET ${path}/executions`)
    return answer.body.data.map((one: { status: string }) => one.status)
  }
  await track("signup", {})
  await track("buy", { amount: 99 })
  expect(await statuses()).toEqual(["WAITING"])
  await track("buy", { amount: { value: 101, persistent: false } })
  expect(await statuses()).toEqual(["COMPLETED"])
})

test("a wait is for the name without the spaces around it, as events are stored (contract B5.4.4)", async () => {
  const { start, track, own } = await newScenario(it)
  const flow = await start(steps.wait(` ${own("buy")} `, undefined, { "": steps.exit("bought") }))
  await track("s")
  await track("buy")
  expect(await traces(it, flow)).toEqual(["T W X; EXITED bought"])
  const path = `/workflows/${flow.id}`
  const { body: whole } = await it.api(`GET ${path}`)
  const waits = () => it.api(`PATCH ${path}/steps/${flow.ids.get("W")}`, { body: { config: { eventName: " b " } } })
  expect((await waits()).body.config).toEqual({ eventName: "b" })
  const graph = JSON.parse(JSON.stringify(whole).replaceAll(own("buy"), " c "))
  const saved = await it.api(`PUT ${path}/graph`, { body: { ...graph, version: whole.version + 1 } })
  expect(saved.body.steps.map(({ config }: { config: object }) => config)).toContainEqual({ eventName: "c" })
})

import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

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

import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const track = (email: string, event: string, data: object = {}) =>
  it.api("POST /v1/track", { body: { email, event, data } })

async function newWorkflow(eventName: string): Promise<string> {
  return (await it.api("POST /workflows", { body: { name: "Welcome", eventName } })).body.id
}

test("GET /workflows/fields lists the fields of contacts and of events, by name (contract B5.2.2)", async () => {
  await track("fields@example.com", "Bought", { price: 9, items: [1], plan: "pro" })
  await track("fields@example.com", "Looked", { page: "/" })
  const { status, body } = await it.api("GET /workflows/fields")
  expect(status).toBe(200)
  expect(body.fields).toEqual(body.fields.toSorted())
  expect(body.count).toBe(body.fields.length)
  expect(body.typedFields).toContainEqual({ field: "subscribed", type: "boolean", category: "Contact Fields" })
  expect(body.typedFields).toContainEqual({ field: "data.price", type: "number", category: "Custom Data" })
  expect(body.typedFields).toContainEqual({ field: "event.price", type: "string", category: "Event Data" })
  expect(body.fields).toContain("event.page")
  const one = await it.api("GET /workflows/fields?eventName=Looked")
  expect(one.body.fields.filter((field: string) => field.startsWith("event."))).toEqual(["event.page"])
})

test("GET /workflows/fields reads the newest 100 events only", async () => {
  await track("many@example.com", "Old", { first: 1 })
  for (let n = 0; n < 100; n++) await track("many@example.com", "Old", { later: n })
  const { body } = await it.api("GET /workflows/fields?eventName=Old")
  expect(body.fields.filter((field: string) => field.startsWith("event."))).toEqual(["event.later"])
})

test("the audience preview counts contacts of the days before (contract B5.2.24)", async () => {
  const id = await newWorkflow("Joined")
  await track("ada@example.com", "Joined")
  await it.advance({ days: 20 })
  await track("ada@example.com", "Joined")
  await track("eve@example.com", "Joined")
  await it.api("POST /events/track", { body: { name: "Joined" } })
  const wide = await it.api(`GET /workflows/${id}/audience-preview`)
  expect(wide.body).toMatchObject({ days: 30, eventName: "Joined", events: 3, contacts: 2 })
  const narrow = await it.api(`GET /workflows/${id}/audience-preview?days=7`)
  expect(narrow.body).toMatchObject({ days: 7, events: 2, contacts: 2 })
  await it.advance({ days: 8 })
  expect((await it.api(`GET /workflows/${id}/audience-preview?days=7`)).body).toMatchObject({ events: 0, contacts: 0 })
  await it.api(`PATCH /workflows/${id}`, { body: { triggerType: "MANUAL" } })
  const manual = await it.api(`GET /workflows/${id}/audience-preview`)
  expect(manual.body).toMatchObject({ eventName: null, events: 0, contacts: 0 })
  expect((await it.api("GET /workflows/0199c0de-0000-7000-8000-00000000dead/audience-preview")).status).toBe(404)
})

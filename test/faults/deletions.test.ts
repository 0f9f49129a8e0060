import { afterEach, beforeEach, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedEvents } from "../harness/events.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { addSegment, track } from "../harness/segments.ts"
import { createWorkflow, steps } from "../harness/workflows.ts"

let it: TestApp

beforeEach(async () => {
  it = await startTestApp()
})
afterEach(() => it.close())

const refuse = (change: "UPDATE" | "DELETE", table: string) => refuseChanges(it.app.store, { change, table })

async function countOf(table: string, where = sql`TRUE`): Promise<number> {
  const rows = await it.app.store.read.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM ${sql.identifier(table)} WHERE ${where}`,
  )
  return rows[0]?.n ?? 0
}

/** Begins a deletion that the database then refuses to go on with; resolves to what ends that, and what is left to delete. */
type Begin = () => Promise<{ heal(): Promise<void>; left(): Promise<number> }>

async function ofProject(): ReturnType<Begin> {
  const owner = await signUp(it, "owner@acme.test")
  const { id, secret } = (await owner.api("POST /users/@me/projects", { body: { name: "Shop" } })).body
  await it.api("POST /contacts", { key: secret, body: { email: "ada@example.com" } })
  const heal = await refuse("DELETE", "contact")
  expect((await owner.api(`DELETE /users/@me/projects/${id}`)).status).toBe(200)
  return { heal, left: () => countOf("contact") }
}

async function ofMembers(): ReturnType<Begin> {
  const { id } = await addSegment(it, { name: "Friends", type: "STATIC" })
  await it.api(`POST /segments/${id}/members`, { body: { emails: ["ada@example.com"], createMissing: true } })
  expect(await countOf("segment_member")).toBe(1)
  const heal = await refuse("DELETE", "segment_member")
  expect((await it.api(`DELETE /segments/${id}`)).status).toBe(204)
  return { heal, left: () => countOf("segment_member") }
}

async function ofExecutions(): ReturnType<Begin> {
  const { id } = await createWorkflow(it, "seen", steps.exit())
  for (let at = 0; at < 6; at++) await track(it, `c${at}@example.com`)
  await it.settle()
  // Together more than the request deletes itself.
  await it.app.store.write("instance", async (unit) => {
    await unit.db.run(sql`UPDATE workflow_execution SET steps = 1000`)
  })
  expect((await it.api(`DELETE /workflows/${id}`)).status).toBe(204)
  const heal = await refuse("DELETE", "workflow_execution")
  return { heal, left: () => countOf("workflow_execution") }
}

async function ofEvents(): ReturnType<Begin> {
  await seedEvents(it, 1_000, () => ({}))
  const left = () => countOf("event", sql`name = 'purchase'`)
  const all = await left()
  const answer = it.api("DELETE /events/purchase")
  while ((await left()) === all) await new Promise(setImmediate)
  const heal = await refuse("DELETE", "event")
  expect((await answer).status).toBe(500)
  return { heal, left }
}

async function ofField(): ReturnType<Begin> {
  await it.api("POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } })
  const heal = await refuse("UPDATE", "contact")
  expect((await it.api("DELETE /contacts/fields/data.plan")).status).toBe(500)
  return { heal, left: () => countOf("contact", sql`json_type(data, '$.plan') IS NOT NULL`) }
}

test.each<[string, Begin]>([
  ["a project", ofProject],
  ["the members of a segment", ofMembers],
  ["the executions of a workflow", ofExecutions],
  ["the events of a name", ofEvents],
  ["a field of contacts", ofField],
])("The deletion of %s is completed after a day in which the database refused it", async (_, begin) => {
  const { heal, left } = await begin()
  for (let hours = 0; hours < 24; hours++) await it.advance({ hours: 1 })
  expect(await left()).toBeGreaterThan(0)
  await heal()
  await it.advance({ hours: 2 })
  expect(await left()).toBe(0)
})

import { afterEach, beforeEach, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { jobTable } from "../../src/jobs/table.ts"
import { minute } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

/** More than a unit of work moves. */
const people = 600

let it: TestApp
const unlimited = { "limits.requests_per_minute": "0" }
beforeEach(async () => {
  it = await startTestApp({ settings: unlimited })
})
afterEach(() => it.close())

const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
const delay = (id: string, amount: number) => ({ id, type: "DELAY", name: id, config: { amount, unit: "hours" } })
const exit = { id: "x", type: "EXIT", name: "x", config: { reason: "done" } }
const wait = { id: "w", type: "WAIT_FOR_EVENT", name: "w", config: { eventName: "buy" } }
const link = (fromStepId: string, toStepId: string) => ({ fromStepId, toStepId })

/** Creates a workflow with a graph, and has everybody rest on its first step; resolves to its path and the ids of its steps. */
async function filled(graph: object): Promise<{ path: string; ids: Record<string, string> }> {
  const { body } = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  const put = await it.api(`PUT ${path}/graph`, { body: { version: 1, ...graph } })
  expect(put.status).toBe(200)
  await it.api(`PATCH ${path}`, { body: { enabled: true } })
  for (let n = 0; n < people; n++)
    await it.api("POST /v1/track", { body: { email: `p${n}@example.com`, event: "signup" } })
  await it.settle()
  expect(await count(path, "WAITING")).toBe(people)
  return { path, ids: put.body.ids }
}

const count = async (path: string, status: string): Promise<number> =>
  (await it.api(`GET ${path}/executions?pageSize=1&status=${status}`)).body.total

/** Publishes a graph; `moves` lead to steps by the ids that are sent. */
async function publish(path: string, graph: object, wanted: Record<string, string> = {}): Promise<void> {
  const saved = await it.api(`PUT ${path}/draft`, { body: graph })
  const moves = Object.fromEntries(Object.entries(wanted).map(([from, to]) => [from, saved.body.ids[to] ?? to]))
  const published = await it.api(`POST ${path}/publish`, { body: { version: saved.body.version, moves } })
  expect(published.status).toBe(200)
}

test("more people than one unit moves are moved after it, also by another process (contract B5.11.6)", async () => {
  const { path, ids } = await filled({
    steps: [trigger, delay("d", 10), exit],
    transitions: [link("t", "d"), link("d", "x")],
  })
  await publish(path, { steps: [trigger, { ...exit, id: ids.x }], transitions: [link("t", ids.x ?? "")] })
  expect(await count(path, "RUNNING")).toBe(500)
  expect(await count(path, "WAITING")).toBe(people - 500)
  await it.stop()
  it = await startTestApp({ folder: it.folder, clock: it.clock, ids: it.ids })
  await it.settle()
  expect(await count(path, "EXITED")).toBe(people)
})

test("who has not been moved yet follows the same moves with the event that they wait for", async () => {
  const { path, ids } = await filled({
    steps: [trigger, wait, exit],
    transitions: [link("t", "w"), link("w", "x")],
  })
  await publish(path, { steps: [trigger, delay("d", 1)], transitions: [link("t", "d")] }, { [ids.w ?? ""]: "d" })
  expect(await count(path, "WAITING")).toBe(people - 500)
  for (let n = 0; n < people; n++)
    await it.api("POST /v1/track", { body: { email: `p${n}@example.com`, event: "buy" } })
  await it.settle()
  expect(await count(path, "WAITING")).toBe(people)
  await it.advance({ hours: 1 })
  expect(await count(path, "COMPLETED")).toBe(people)
})

test("kills while they are moved end nothing, however many there are", async () => {
  const { path, ids } = await filled({ steps: [trigger, wait, exit], transitions: [link("t", "w"), link("w", "x")] })
  await publish(path, { steps: [trigger, delay("d", 1)], transitions: [link("t", "d")] }, { [ids.w ?? ""]: "d" })
  // As many kills leave the job: each claim counts an attempt.
  await it.app.store.write("instance", (unit) =>
    unit.db
      .update(jobTable)
      .set({ state: "running", attempt: 50, leaseOwner: it.app.store.node, leaseUntil: unit.now + minute })
      .where(eq(jobTable.kind, "workflow.move")),
  )
  await it.stop()
  const { folder, clock } = it
  it = await startTestApp({ folder, clock, ids: it.ids, settings: unlimited })
  await it.settle()
  await it.advance({ hours: 1 })
  expect(await count(path, "COMPLETED")).toBe(people)
})

test("a graph that is published meanwhile takes over what is left", async () => {
  const { path, ids } = await filled({
    steps: [trigger, delay("d", 10), delay("e", 10), exit],
    transitions: [link("t", "d"), link("d", "e"), link("e", "x")],
  })
  const [t, e, x] = [ids.t ?? "", ids.e ?? "", ids.x ?? ""]
  await publish(path, { steps: [trigger, delay(e, 10), { ...exit, id: x }], transitions: [link("t", e), link(e, x)] })
  await publish(path, {
    steps: [
      { ...trigger, id: t },
      { ...exit, id: x },
    ],
    transitions: [link(t, x)],
  })
  await it.settle()
  expect(await count(path, "EXITED")).toBe(people)
  const { body } = await it.api(`GET ${path}/executions?pageSize=1`)
  expect(body.data[0].exitReason).toBe("done")
})

test("a changed delay reaches all of them", async () => {
  const { path, ids } = await filled({
    steps: [trigger, delay("d", 10), exit],
    transitions: [link("t", "d"), link("d", "x")],
  })
  const [d, x] = [ids.d ?? "", ids.x ?? ""]
  const changed = { steps: [trigger, delay(d, 1), { ...exit, id: x }], transitions: [link("t", d), link(d, x)] }
  await publish(path, changed)
  await it.advance({ ms: 59 * minute })
  expect(await count(path, "WAITING")).toBe(people)
  await it.advance({ minutes: 2 })
  expect(await count(path, "EXITED")).toBe(people)
})

test("who has not been planned anew when the old time comes rests on", async () => {
  const { path, ids } = await filled({
    steps: [trigger, delay("d", 1), exit],
    transitions: [link("t", "d"), link("d", "x")],
  })
  const [d, x] = [ids.d ?? "", ids.x ?? ""]
  await it.advance({ minutes: 59 })
  const longer = { steps: [trigger, delay(d, 5), { ...exit, id: x }], transitions: [link("t", d), link(d, x)] }
  await publish(path, longer)
  await it.clock.advance(2 * minute)
  // The worker alone: the background job has planned none of the others yet.
  const workflows = it.app.modules.find(({ name }) => name === "workflows")
  expect(await workflows?.worker?.drain()).toBe(people - 500)
  expect(await count(path, "WAITING")).toBe(people)
  await it.settle()
  await it.advance({ hours: 3 })
  expect(await count(path, "WAITING")).toBe(people)
  await it.advance({ hours: 1 })
  expect(await count(path, "EXITED")).toBe(people)
})

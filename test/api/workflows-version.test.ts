import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
const delay = (id: string) => ({ id, type: "DELAY", name: id, config: { amount: 1, unit: "hours" } })

async function newWorkflow() {
  const { body } = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  return { path, body, get: async () => (await it.api(`GET ${path}`)).body }
}

const stepBody = (name: string) => ({ type: "DELAY", name, config: { amount: 1, unit: "hours" } })

describe("version of a workflow (contract B5.3.9)", () => {
  test("a change of the trigger answers the version that it makes", async () => {
    const { path, get } = await newWorkflow()
    const changed = await it.api(`PATCH ${path}`, { body: { triggerConfig: { eventName: "login" } } })
    expect([changed.body.version, (await get()).version]).toEqual([2, 2])
    const renamed = await it.api(`PATCH ${path}`, { body: { name: "Hello", triggerType: "MANUAL" } })
    expect([renamed.body.version, (await get()).version]).toEqual([3, 3])
  })

  test("a request that changes nothing of the graph leaves it", async () => {
    const { path, get } = await newWorkflow()
    const { body: step } = await it.api(`POST ${path}/steps`, { body: stepBody("Wait") })
    const before = await get()
    const { name, position, config } = step
    const same = await it.api(`PATCH ${path}/steps/${step.id}`, { body: { name, position, config } })
    expect([same.status, same.body]).toEqual([200, step])
    await it.api(`PATCH ${path}`, { body: { name: "Hello" } })
    expect((await get()).version).toBe(before.version)
  })
})

describe("draftVersion of a workflow (contract B5.2.4)", () => {
  test("is in the answer of each request that answers a workflow with its graph", async () => {
    const { path, body, get } = await newWorkflow()
    expect(body).toEqual(await get())
    expect(body.draftVersion).toBe(null)
    const graph = { steps: [trigger, delay("a")], transitions: [] }
    const draft = (await it.api(`PUT ${path}/draft`, { body: graph })).body
    for (const version of [1, 2]) {
      const { ids, ...replaced } = (await it.api(`PUT ${path}/graph`, { body: { ...(await get()), version } })).body
      expect([replaced.draftVersion, replaced]).toEqual([draft.version, await get()])
      if (version === 1) await it.api(`POST ${path}/steps`, { body: stepBody("Wait") })
    }
    const again = await it.api(`PUT ${path}/draft`, { body: { ...graph, version: draft.version, basedOn: 2 } })
    const published = await it.api(`POST ${path}/publish`, { body: { version: again.body.version } })
    expect([published.status, published.body.draftVersion, published.body]).toEqual([200, null, await get()])
  })
})

describe("the order of steps (contract B5.2.4)", () => {
  test("is that of their making, whatever ids a client has chosen", async () => {
    const { path, body, get } = await newWorkflow()
    const late = "ffffffff-ffff-4fff-bfff-fffffffffff1"
    const graph = { version: 1, steps: [trigger, delay(late)], transitions: [{ fromStepId: "t", toStepId: late }] }
    expect((await it.api(`PUT ${path}/graph`, { body: graph })).status).toBe(200)
    await it.advance({ seconds: 1 })
    const { body: second } = await it.api(`POST ${path}/steps`, { body: stepBody("Second") })
    await it.advance({ seconds: 1 })
    const { body: third } = await it.api(`POST ${path}/steps`, { body: stepBody("Third") })
    const { steps, transitions } = await get()
    expect(steps.map(({ id }: { id: string }) => id)).toEqual([body.steps[0].id, late, second.id, third.id])
    expect(transitions).toContainEqual(expect.objectContaining({ fromStepId: second.id, toStepId: third.id }))
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { readDocument } from "../harness/openapi.ts"
import { fieldsOf } from "../harness/scenarios.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
const delay = (id: string, amount = 1) => ({ id, type: "DELAY", name: id, config: { amount, unit: "hours" } })
const link = (fromStepId: string, toStepId: string) => ({ fromStepId, toStepId })
const small = { steps: [trigger, delay("a")], transitions: [link("t", "a")] }

async function newWorkflow() {
  const { body } = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  const call = (route: string, body?: object) => it.api(route.replace(" ", ` ${path}`), body ? { body } : {})
  return { path, body, call, get: async () => (await call("GET ")).body }
}

describe("The draft of a workflow (contract B5.11)", () => {
  test("is kept beside the live graph, and published", async () => {
    const { call, get } = await newWorkflow()
    const live = await get()
    const saved = await call("PUT /draft", small)
    expect(saved.status).toBe(200)
    expect(saved.body).toMatchObject({ version: 1, basedOn: 1, liveVersion: 1, faults: [], faultCount: 0 })
    expect(saved.body.ids.t).toBe(live.steps[0].id)
    expect(await get()).toEqual({ ...live, draftVersion: 1 })
    const shown = await call("GET /draft")
    expect(shown.body).toMatchObject({
      version: 1,
      steps: saved.body.steps,
      transitions: saved.body.transitions,
      impact: { people: 0, sentences: [], removed: [], delays: [], steps: { added: 1, changed: 0, removed: 0 } },
    })
    const published = await call("POST /publish", { version: 1 })
    expect([published.status, published.body.version]).toEqual([200, 2])
    expect(published.body.steps[1].id).toBe(saved.body.ids.a)
    expect({ ...published.body, draftVersion: null }).toEqual(await get())
    expect((await call("GET /draft")).status).toBe(404)
    expect((await call("POST /publish", { version: 1 })).status).toBe(404)
  })

  test("has the faults of a value of the wrong type as /openapi.json says, with what was received", async () => {
    const document = readDocument((await it.api("GET /openapi.json", { key: "none" })).body)
    const { call } = await newWorkflow()
    const wait = { id: "d", type: "DELAY", name: "Wait", config: { amount: "3", unit: "days" } }
    const saved = await call("PUT /draft", { steps: [trigger, wait], transitions: [link("t", "d")] })
    expect(saved.body.faults).toMatchObject([
      { field: "steps.1.config.amount", code: "invalid_type", received: "string" },
    ])
    const shown = await call("GET /draft")
    expect(document.faultsOfAnswer(document.operation("PUT /workflows/{id}/draft"), saved)).toEqual([])
    expect(document.faultsOfAnswer(document.operation("GET /workflows/{id}/draft"), shown)).toEqual([])
  })

  test("may have faults, which are answered with their paths, and keep it from being published", async () => {
    const { call, get } = await newWorkflow()
    const before = await get()
    const condition = { id: "c", type: "CONDITION", name: "C", config: { mode: "multi", field: "data.a" } }
    const gone = { id: "m", type: "SEND_EMAIL", name: "M", templateId: "0199c0de-0000-7000-8000-00000000dead" }
    const saved = await call("PUT /draft", {
      steps: [trigger, delay("a", -1), condition, gone],
      transitions: [link("t", "a"), link("t", "c"), link("c", "m")],
    })
    const faults = {
      "steps.1.config.amount": "too_small",
      "steps.2.config.branches": "required",
      "steps.3.config.templateId": "custom",
      "transitions.1.fromStepId": "custom",
      "transitions.2.branch": "required",
    }
    const named = (list: { field: string; code: string }[]) =>
      Object.fromEntries(list.map(({ field, code }) => [field, code]))
    expect([saved.status, saved.body.faultCount, named(saved.body.faults)]).toEqual([200, 5, faults])
    expect(named((await call("GET /draft")).body.faults)).toEqual(faults)
    const refused = await call("POST /publish", { version: 1 })
    expect([refused.status, fieldsOf(refused)]).toEqual([422, faults])
    expect(await get()).toEqual({ ...before, draftVersion: 1 })
    expect((await call("GET /draft")).body.version).toBe(1)
  })

  test("is refused when it is no graph", async () => {
    const { call } = await newWorkflow()
    expect(fieldsOf(await call("PUT /draft", { steps: [delay("a")], transitions: [] }))).toEqual({ steps: "required" })
    expect(fieldsOf(await call("PUT /draft", { steps: [trigger], transitions: [link("t", "x")] }))).toEqual({
      "transitions.0.toStepId": "custom",
    })
    expect((await call("GET /draft")).status).toBe(404)
  })

  test("is not lost to another tab: each change has its version, also after it was discarded", async () => {
    const { call } = await newWorkflow()
    await call("PUT /draft", small)
    expect((await call("PUT /draft", small)).status).toBe(409)
    const stale = await call("PUT /draft", { ...small, version: 7 })
    expect([stale.status, stale.body.error.details]).toEqual([409, { version: 1 }])
    expect((await call("PUT /draft", { ...small, version: 1 })).body.version).toBe(2)
    expect((await call("POST /publish", { version: 1 })).status).toBe(409)
    expect((await call("POST /draft/discard")).status).toBe(204)
    expect((await call("POST /draft/discard")).status).toBe(404)
    expect((await call("PUT /draft", { ...small, version: 2 })).status).toBe(409)
    const again = await call("PUT /draft", small)
    expect([again.status, again.body.version]).toEqual([200, 4])
  })

  test("is not published over a live graph that has changed, until it is based on that", async () => {
    const { call } = await newWorkflow()
    await call("PUT /draft", small)
    await call("POST /steps", { type: "EXIT", name: "End" })
    const refused = await call("POST /publish", { version: 1 })
    expect([refused.status, refused.body.error.details]).toEqual([409, { version: 2 }])
    expect((await call("PUT /draft", { ...small, version: 1 })).body).toMatchObject({ basedOn: 1, liveVersion: 2 })
    await call("PUT /draft", { ...small, version: 2, basedOn: 2 })
    expect((await call("POST /publish", { version: 3 })).body.steps.length).toBe(2)
  })

  test("goes with its workflow", async () => {
    const { call } = await newWorkflow()
    await call("PUT /draft", small)
    expect((await call("DELETE ")).status).toBe(204)
    expect((await call("GET /draft")).body.error.code).toBe("WORKFLOW_NOT_FOUND")
  })
})

describe("Versions of a workflow (contract B5.11.7)", () => {
  test("are the graphs that were published and replaced; each can be the draft again", async () => {
    const { call, get } = await newWorkflow()
    await call("PUT /draft", small)
    await call("POST /publish", { version: 1 })
    const first = await get()
    await it.advance({ hours: 1 })
    await call("PUT /draft", { steps: [trigger], transitions: [] })
    await call("POST /publish", { version: 3 })
    const { body: versions } = await call("GET /versions")
    expect(versions).toMatchObject([
      { version: 3, steps: 1, live: true },
      { version: 2, steps: 2, live: false },
      { version: 1, steps: 1, live: false },
    ])
    const restored = await call("POST /versions/2/restore", {})
    expect(restored.body).toMatchObject({ version: 5, basedOn: 3, faultCount: 0, ids: {} })
    const published = await call("POST /publish", { version: 5 })
    const content = (graph: typeof first) => [
      graph.steps.map(({ id, config }: Record<string, unknown>) => [id, config]),
      graph.transitions.map(({ id }: Record<string, unknown>) => id),
    ]
    expect(content(published.body)).toEqual(content(first))
    expect(published.body.version).toBe(4)
  })

  test("replace a draft only when its version is sent", async () => {
    const { call } = await newWorkflow()
    await call("PUT /draft", small)
    await call("POST /publish", { version: 1 })
    await call("PUT /draft", small)
    expect((await call("POST /versions/1/restore", {})).status).toBe(409)
    expect((await call("POST /versions/1/restore", { version: 3 })).status).toBe(200)
    expect((await call("POST /versions/9/restore", {})).status).toBe(404)
    expect((await call("POST /versions/x/restore", {})).status).toBe(404)
  })

  test("are the last 20", async () => {
    const { call } = await newWorkflow()
    for (let n = 0; n < 22; n++) {
      const saved = await call("PUT /draft", { ...small, steps: [trigger, delay("a", n + 1)] })
      expect((await call("POST /publish", { version: saved.body.version })).status).toBe(200)
    }
    const { body } = await call("GET /versions")
    expect([body.length, body[0].version, body[19].version]).toEqual([20, 23, 4])
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fieldsOf } from "../harness/scenarios.ts"
import { createTemplate } from "../harness/templates.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
const delay = (id: string, amount = 1) => ({ id, type: "DELAY", name: id, config: { amount, unit: "hours" } })
const link = (fromStepId: string, toStepId: string, branch?: string) => ({ fromStepId, toStepId, branch })

async function newWorkflow() {
  const { body } = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  const put = (graph: object) => it.api(`PUT ${path}/graph`, { body: { version: 1, ...graph } })
  const get = async () => (await it.api(`GET ${path}`)).body
  return { id: body.id as string, path, body, put, get }
}

describe("PUT /workflows/{id}/graph (contract B5.2.17)", () => {
  test("replaces the whole graph, and answers what the ids of new steps are", async () => {
    const { body, put, get } = await newWorkflow()
    const { id: template } = await createTemplate(it, {})
    const answer = await put({
      steps: [
        { ...trigger, config: { eventName: "other" } },
        { id: "mail", type: "SEND_EMAIL", name: " Hello ", templateId: template, position: { x: 1, y: 2 } },
        delay("wait"),
      ],
      transitions: [link("t", "mail"), link("mail", "wait")],
    })
    expect(answer.status).toBe(200)
    expect(answer.body.version).toBe(2)
    const { t, mail, wait } = answer.body.ids
    expect(t).toBe(body.steps[0].id)
    expect(answer.body.steps).toMatchObject([
      { id: t, config: { eventName: "signup" } },
      { id: mail, name: "Hello", templateId: template, config: { templateId: template }, position: { x: 1, y: 2 } },
      { id: wait, position: { x: 100, y: 100 } },
    ])
    expect(answer.body.transitions).toMatchObject([
      { fromStepId: t, toStepId: mail, branch: null },
      { fromStepId: mail, toStepId: wait },
    ])
    const { ids, ...whole } = answer.body
    expect(await get()).toEqual(whole)
  })

  test("takes back what GET answers, which changes nothing", async () => {
    const { put, get, path } = await newWorkflow()
    await put({ steps: [trigger, delay("a")], transitions: [link("t", "a")] })
    const before = await get()
    const again = await it.api(`PUT ${path}/graph`, { body: before })
    expect([again.status, again.body]).toEqual([200, { ...before, ids: {} }])
  })

  test("keeps ids: a step that was deleted comes back under its own", async () => {
    const { path, put, get } = await newWorkflow()
    const { ids } = (await put({ steps: [trigger, delay("a")], transitions: [link("t", "a")] })).body
    const before = await get()
    const { body: without } = await put({ version: 2, steps: [trigger], transitions: [] })
    expect([without.steps.length, without.transitions.length, without.version]).toEqual([1, 0, 3])
    const undone = await it.api(`PUT ${path}/graph`, { body: { ...before, version: 3 } })
    expect(undone.body.steps[1].id).toBe(ids.a)
    expect(undone.body.transitions[0].id).toBe(before.transitions[0].id)
  })

  test("gives new ids to the parts of another workflow", async () => {
    const [one, other] = [await newWorkflow(), await newWorkflow()]
    await one.put({ steps: [trigger, delay("a")], transitions: [link("t", "a")] })
    const copied = await one.get()
    const { status, body } = await other.put({ ...copied, version: 1 })
    expect(status).toBe(200)
    expect(body.ids[copied.steps[1].id]).toBe(body.steps[1].id)
    expect(body.steps[1].id).not.toBe(copied.steps[1].id)
    expect(body.transitions[0]).toMatchObject({ toStepId: body.steps[1].id })
    expect(await one.get()).toEqual(copied)
  })

  test("is refused with another version, which is named", async () => {
    const { put, get } = await newWorkflow()
    await put({ steps: [trigger, delay("a")], transitions: [] })
    const before = await get()
    const { status, body } = await put({ steps: [trigger], transitions: [] })
    expect([status, body.error.code, body.error.details]).toEqual([409, "CONFLICT", { version: 2 }])
    expect(await get()).toEqual(before)
  })

  test("each change of the graph has its version, and swapped exits are no obstacle", async () => {
    const { path, put, get } = await newWorkflow()
    await put({ steps: [trigger, delay("a"), delay("b")], transitions: [link("t", "a"), link("a", "b")] })
    const { steps, transitions, version } = await get()
    const [t, a, b] = steps.map(({ id }: { id: string }) => id)
    const [first, second] = transitions
    const swapped = [
      { ...first, fromStepId: a, toStepId: b },
      { ...second, fromStepId: t, toStepId: a },
    ]
    const answer = await it.api(`PUT ${path}/graph`, { body: { version, steps, transitions: swapped } })
    expect([answer.status, answer.body.version]).toEqual([200, version + 1])
    await it.api(`POST ${path}/steps`, { body: { type: "EXIT", name: "End" } })
    expect((await get()).version).toBe(version + 2)
  })

  test("has all faults with their paths, and changes nothing", async () => {
    const { put, get } = await newWorkflow()
    const before = await get()
    const answer = await put({
      steps: [
        trigger,
        { id: "m", type: "SEND_EMAIL", name: "M", config: { recipient: { type: "CUSTOM" } } },
        { id: "w", type: "WEBHOOK", name: "W", config: { url: "ftp://a" } },
        { id: "c", type: "CONDITION", name: "C", config: { field: "data.a", operator: "equals", value: 1 } },
        { id: "x", type: "EXIT", name: "X" },
        delay("d", 0),
      ],
      transitions: [
        link("t", "m"),
        link("t", "w"),
        link("m", "m"),
        link("w", "t"),
        link("x", "d"),
        link("c", "d"),
        link("c", "w", "maybe"),
        link("c", "m", "yes"),
        link("m", "c"),
        link("d", "c"),
      ],
    })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual({
      "steps.1.config.templateId": "required",
      "steps.1.config.recipient.customEmail": "required",
      "steps.2.config.url": "invalid_string",
      "steps.5.config.amount": "too_small",
      "transitions.1.fromStepId": "custom",
      "transitions.2.toStepId": "custom",
      "transitions.3.toStepId": "custom",
      "transitions.4.fromStepId": "custom",
      "transitions.5.branch": "required",
      "transitions.6.branch": "invalid_enum",
      "transitions.7.toStepId": "custom",
    })
    expect(await get()).toEqual(before)
  })

  test.each([
    ["no trigger", [delay("a")], [], { steps: "required" }],
    ["two triggers", [trigger, { ...trigger, id: "u" }], [], { "steps.1.type": "custom" }],
    ["an id twice", [trigger, delay("a"), delay("a")], [], { "steps.2.id": "custom" }],
    ["a transition to nowhere", [trigger], [link("t", "a")], { "transitions.0.toStepId": "custom" }],
    ["a type that does not exist", [trigger, { ...delay("a"), type: "SMS" }], [], { "steps.1.type": "invalid_enum" }],
    ["a step without a name", [trigger, { ...delay("a"), name: " " }], [], { "steps.1.name": "too_small" }],
    ["a config that is none", [trigger, { ...delay("a"), config: [] }], [], { "steps.1.config": "invalid_type" }],
    ["no steps", undefined, [], { steps: "required" }],
    ["1,001 steps", [trigger, ...Array.from({ length: 1_000 }, (_, n) => delay(`d${n}`))], [], { steps: "too_big" }],
    [
      "configs of more than 2,000,000 bytes",
      [
        trigger,
        ...Array.from({ length: 40 }, (_, n) => ({
          id: `w${n}`,
          type: "WEBHOOK",
          name: "W",
          config: { url: "https://a.test", body: "a".repeat(51_000) },
        })),
      ],
      [],
      { steps: "too_big" },
    ],
  ])("refuses %s", async (_, steps, transitions, fields) => {
    const { put } = await newWorkflow()
    const answer = await put({ steps, transitions })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields as Record<string, string>])
  })

  test("refuses an unknown template, and another type for a step", async () => {
    const { put } = await newWorkflow()
    const { ids } = (await put({ steps: [trigger, delay("a")], transitions: [] })).body
    const answer = await put({
      version: 2,
      steps: [
        trigger,
        { id: ids.a, type: "EXIT", name: "X" },
        { id: "m", type: "SEND_EMAIL", name: "M", templateId: "0199c0de-0000-7000-8000-00000000dead" },
      ],
      transitions: [],
    })
    expect(fieldsOf(answer)).toEqual({ "steps.1.type": "custom", "steps.2.config.templateId": "custom" })
  })

  test("takes 1,000 steps", async () => {
    const { put, get } = await newWorkflow()
    const ids = Array.from({ length: 999 }, (_, n) => `d${n}`)
    const steps = [trigger, ...ids.map((id) => delay(id))]
    const transitions = [...ids.map((id, n) => link(ids[n - 1] ?? "t", id)), link("d998", "d0")]
    const answer = await put({ steps, transitions })
    expect([answer.status, answer.body.steps.length, answer.body.transitions.length]).toEqual([200, 1_000, 1_000])
    const more = await it.api(`POST /workflows/${answer.body.id}/steps`, { body: { type: "EXIT", name: "X" } })
    expect(more.status).toBe(400)
    expect((await get()).version).toBe(2)
  })

  test("a locked workflow changes names and positions only; a disabled one keeps steps with contacts on them", async () => {
    const { path, put, get } = await newWorkflow()
    await put({ steps: [trigger, delay("a"), delay("b")], transitions: [link("t", "a"), link("a", "b")] })
    await it.api(`PATCH ${path}`, { body: { enabled: true } })
    await it.api("POST /v1/track", { body: { email: "locked@example.com", event: "signup" } })
    await it.settle()
    const { steps, transitions, version } = await get()
    const named = steps.map((step: object) => ({ ...step, name: "Moved", position: { x: 5, y: 5 } }))
    const moved = await it.api(`PUT ${path}/graph`, { body: { version, steps: named, transitions } })
    expect([moved.status, moved.body.steps[1].name]).toEqual([200, "Moved"])
    const less = { version: moved.body.version, steps: [named[0], named[2]], transitions: [] }
    expect((await it.api(`PUT ${path}/graph`, { body: less })).status).toBe(409)
    await it.api(`PATCH ${path}`, { body: { enabled: false } })
    const stood = await it.api(`PUT ${path}/graph`, { body: less })
    expect([stood.status, stood.body.error.message]).toEqual([409, 'Contacts stand on the step "Moved".'])
    const other = { version: moved.body.version, steps: [named[0], named[1]], transitions: [transitions[0]] }
    expect((await it.api(`PUT ${path}/graph`, { body: other })).status).toBe(200)
  })

  test("is of the project", async () => {
    const answer = await it.api("PUT /workflows/0199c0de-0000-7000-8000-00000000dead/graph", {
      body: { version: 1, steps: [trigger], transitions: [] },
    })
    expect([answer.status, answer.body.error.code]).toEqual([404, "WORKFLOW_NOT_FOUND"])
  })
})

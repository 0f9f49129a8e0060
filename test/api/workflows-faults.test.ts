import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fieldsOf } from "../harness/scenarios.ts"
import { createTemplate } from "../harness/templates.ts"

/** Faults are reported all at once, before records are looked up (contract A1.6). */

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const unknown = "0199c0de-0000-7000-8000-00000000dead"
const badMail = { recipient: { type: "CUSTOM", customEmail: "a b" } }
const ofDelay = { "config.amount": "required", "config.unit": "required" }

async function newWorkflow() {
  const { body } = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup" } })
  const path = `/workflows/${body.id}`
  const call = (route: string, body: object) => it.api(route.replace(" ", ` ${path}`), { body })
  return { path, call, trigger: body.steps[0] }
}

const bodies: [object, Record<string, string>][] = [
  [
    { type: "DELAY", config: { amount: 0, unit: "x" } },
    { name: "required", "config.amount": "too_small", "config.unit": "invalid_enum" },
  ],
  [
    { type: "DELAY", name: "", config: {} },
    { name: "too_small", ...ofDelay },
  ],
  [
    { type: "DELAY", name: "D", position: 5, config: {} },
    { position: "invalid_type", ...ofDelay },
  ],
  [
    { type: "SEND_EMAIL", name: "M", templateId: "x", config: badMail },
    { templateId: "invalid_string", "config.recipient.customEmail": "invalid_string" },
  ],
  [
    { type: "SEND_EMAIL", config: { templateId: "x" } },
    { name: "required", "config.templateId": "invalid_string" },
  ],
  [
    { type: "SMS", name: "", config: {} },
    { type: "invalid_enum", name: "too_small" },
  ],
  [
    { type: "DELAY", name: "", config: [] },
    { name: "too_small", config: "invalid_type" },
  ],
]

describe("POST /workflows/{id}/steps", () => {
  test.each(bodies)("%j has every fault", async (body, fields) => {
    const { call } = await newWorkflow()
    const answer = await call("POST /steps", body)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
    const nowhere = await it.api(`POST /workflows/${unknown}/steps`, { body })
    expect([nowhere.status, fieldsOf(nowhere)]).toEqual([422, fields])
  })

  /** The path of a value in a config of this type; the value is of the second JSON type. */
  const mistyped: [string, string, string, object][] = [
    ["DELAY", "amount", "string", { amount: "5", unit: "days" }],
    ["DELAY", "unit", "number", { amount: 5, unit: 5 }],
    ["DELAY", "unit", "object", { amount: 5, unit: { toString: 5 } }],
    ["WAIT_FOR_EVENT", "eventName", "boolean", { eventName: true }],
    ["SEND_EMAIL", "templateId", "number", { templateId: 5 }],
    ["SEND_EMAIL", "recipient", "array", { templateId: unknown, recipient: [] }],
    ["CONDITION", "field", "object", { field: {}, operator: "exists" }],
    ["CONDITION", "branches.0", "null", { mode: "multi", field: "data.a", branches: [null] }],
    ["WEBHOOK", "headers", "number", { url: "https://acme.test", headers: { "X-Tag": 5 } }],
    ["UPDATE_CONTACT", "updates", "string", { updates: "x" }],
    ["EXIT", "reason", "number", { reason: 5 }],
  ]
  test.each(mistyped)("%s: `received` of %s is %s (contract A1.7)", async (type, key, received, config) => {
    const { call } = await newWorkflow()
    const { body } = await call("POST /steps", { type, name: "S", config })
    const field = `config.${key}`
    const fault = { field, code: "invalid_type", message: expect.any(String), received }
    expect(body.error.errors).toEqual([fault])
  })

  test.each([
    ["POST /steps", { type: "EXIT", name: "E", config: 5 }, "config", "number"],
    ["POST /executions", { contactId: unknown, context: [] }, "context", "array"],
  ])("%s: `received` is the type of what is no object (contract A1.7)", async (route, sent, field, received) => {
    const { call } = await newWorkflow()
    const { body } = await call(route, sent)
    expect(body.error.errors).toEqual([{ field, code: "invalid_type", message: expect.any(String), received }])
  })

  test("a workflow that does not exist is 404 for a step without faults", async () => {
    const body = { type: "SEND_EMAIL", name: "M", config: { templateId: unknown } }
    const answer = await it.api(`POST /workflows/${unknown}/steps`, { body })
    expect([answer.status, answer.body.error.code]).toEqual([404, "WORKFLOW_NOT_FOUND"])
  })
})

describe("PATCH /workflows/{id}/steps/{stepId}", () => {
  const changes: [string, object, object, Record<string, string>][] = [
    ["DELAY", { amount: 1, unit: "days" }, { name: "", config: {} }, { name: "too_small", ...ofDelay }],
    ["DELAY", { amount: 1, unit: "days" }, { position: 5, config: {} }, { position: "invalid_type", ...ofDelay }],
    [
      "SEND_EMAIL",
      {},
      { templateId: "x", config: badMail },
      { templateId: "invalid_string", "config.recipient.customEmail": "invalid_string" },
    ],
    [
      "SEND_EMAIL",
      {},
      { name: "", config: { templateId: "x" } },
      { name: "too_small", "config.templateId": "invalid_string" },
    ],
  ]
  test.each(changes)("of a %s with %j: %j has every fault", async (type, config, change, fields) => {
    const { path, call } = await newWorkflow()
    const { id: templateId } = await createTemplate(it)
    const step = { type, name: "S", config, ...(type === "SEND_EMAIL" && { templateId }) }
    const { id } = (await call("POST /steps", step)).body
    const before = (await it.api(`GET ${path}`)).body
    const answer = await call(`PATCH /steps/${id}`, change)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
    expect((await it.api(`GET ${path}`)).body).toEqual(before)
  })

  test("a step keeps its template when a new config names none", async () => {
    const { call } = await newWorkflow()
    const { id: templateId } = await createTemplate(it)
    const { id } = (await call("POST /steps", { type: "SEND_EMAIL", name: "M", templateId })).body
    const answer = await call(`PATCH /steps/${id}`, { config: { recipient: { type: "CONTACT" } } })
    expect([answer.status, answer.body.templateId]).toEqual([200, templateId])
  })

  test("tells nothing of the steps of other projects, and of those that do not exist", async () => {
    const { call, path } = await newWorkflow()
    const { id } = (await call("POST /steps", { type: "DELAY", name: "D", config: { amount: 1, unit: "days" } })).body
    const { secret } = await it.app.projects.create("Other")
    const change = { body: { config: {} } }
    expect((await it.api(`PATCH ${path}/steps/${id}`, { ...change, key: secret })).status).toBe(404)
    for (const step of [unknown, "x"]) expect((await it.api(`PATCH ${path}/steps/${step}`, change)).status).toBe(404)
  })
})

describe("PUT /workflows/{id}/graph (contract B5.2.17)", () => {
  const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
  const delay = { id: "d", type: "DELAY", name: "D", config: { amount: 1, unit: "days" } }
  const empty = { ...delay, config: {} }
  const ofEmpty = { "steps.1.config.amount": "required", "steps.1.config.unit": "required" }
  const mail = { id: "m", type: "SEND_EMAIL", name: "M", templateId: unknown }
  const link = (fromStepId: string, toStepId: string) => ({ fromStepId, toStepId })

  const graphs: [string, object, Record<string, string>][] = [
    [
      "a name beside a config, a transition and a template",
      { steps: [trigger, { ...empty, name: "" }, mail], transitions: [link("d", "d")] },
      {
        "steps.1.name": "too_small",
        ...ofEmpty,
        "steps.2.config.templateId": "custom",
        "transitions.0.toStepId": "custom",
      },
    ],
    [
      "a config beside an unknown template",
      { steps: [trigger, empty, mail], transitions: [] },
      { ...ofEmpty, "steps.2.config.templateId": "custom" },
    ],
    [
      "an id twice beside a config",
      { steps: [trigger, empty, { ...delay, name: "" }], transitions: [] },
      { ...ofEmpty, "steps.2.id": "custom", "steps.2.name": "too_small" },
    ],
    [
      "a malformed template beside a recipient",
      { steps: [trigger, { ...mail, templateId: "x", config: badMail }], transitions: [] },
      { "steps.1.templateId": "invalid_string", "steps.1.config.recipient.customEmail": "invalid_string" },
    ],
    [
      "steps that cannot be read, of which nothing else is said",
      {
        steps: [{ ...trigger, type: "SMS" }, empty, { ...delay, id: 7 }, { ...delay, id: "e", config: [] }, null],
        transitions: [link("d", "e"), link("x", "d"), { fromStepId: 1, toStepId: "d" }],
      },
      {
        "steps.0.type": "invalid_enum",
        ...ofEmpty,
        "steps.2.id": "invalid_type",
        "steps.3.config": "invalid_type",
        "steps.4": "invalid_type",
        "transitions.2.fromStepId": "invalid_type",
      },
    ],
    [
      "values that cannot become text",
      {
        steps: [
          trigger,
          { ...mail, templateId: { toString: 1 }, name: { toString: 1 } },
          { id: "n", type: "SEND_EMAIL", name: "N", config: { templateId: { toString: 1 } } },
          {
            id: "c",
            type: "CONDITION",
            name: "C",
            config: { mode: "multi", field: "data.a", branches: [{ id: { toString: 1 }, operator: "exists" }] },
          },
        ],
        transitions: [{ ...link("c", "n"), branch: "a" }],
      },
      {
        "steps.1.name": "invalid_type",
        "steps.1.templateId": "invalid_type",
        "steps.2.config.templateId": "invalid_type",
        "steps.3.config.branches.0.id": "invalid_type",
        "transitions.0.branch": "invalid_enum",
      },
    ],
    ["no transitions", { steps: [trigger, empty] }, { transitions: "required", ...ofEmpty }],
    ["no steps", { transitions: [link("a", "b")] }, { steps: "required" }],
  ]

  test.each(graphs)("reports at once: %s", async (_, graph, fields) => {
    const { path, call } = await newWorkflow()
    const before = (await it.api(`GET ${path}`)).body
    const answer = await call("PUT /graph", { version: 1, ...graph })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
    const unread = await call("PUT /graph", { version: "1", ...graph })
    expect([unread.status, fieldsOf(unread)]).toEqual([422, { version: "invalid_type", ...fields }])
    expect((await it.api(`GET ${path}`)).body).toEqual(before)
  })

  test("a draft takes values that cannot become text, and names them", async () => {
    const { call } = await newWorkflow()
    const bad = { toString: 1 }
    const branches = [{ id: bad, operator: "exists" }]
    const steps = [
      trigger,
      { id: "n", type: "SEND_EMAIL", name: "N", config: { templateId: bad } },
      { id: "c", type: "CONDITION", name: "C", config: { mode: "multi", field: "data.a", branches } },
    ]
    const answer = await call("PUT /draft", { steps, transitions: [{ ...link("c", "n"), branch: "a" }] })
    const fields = answer.body.faults?.map(({ field }: { field: string }) => field)
    expect([answer.status, fields.toSorted()]).toEqual([
      200,
      ["steps.1.config.templateId", "steps.2.config.branches.0.id", "transitions.0.branch"],
    ])
  })

  test("a changed type is reported beside the name of the step and before another version", async () => {
    const { path, call } = await newWorkflow()
    await call("PUT /graph", { version: 1, steps: [trigger, delay], transitions: [] })
    const [, { id }] = (await it.api(`GET ${path}`)).body.steps
    const step = { id, type: "EXIT", name: "" }
    const answer = await call("PUT /graph", { version: 1, steps: [trigger, step], transitions: [] })
    expect(fieldsOf(answer)).toEqual({ "steps.1.name": "too_small", "steps.1.type": "custom" })
    const named = await call("PUT /graph", { version: 1, steps: [trigger, { ...step, name: "X" }], transitions: [] })
    expect(fieldsOf(named)).toEqual({ "steps.1.type": "custom" })
  })

  test.each([
    [{ steps: [trigger, empty], transitions: [] }, 422, "VALIDATION_ERROR"],
    [{ steps: [trigger, { ...empty, name: "" }], transitions: [] }, 422, "VALIDATION_ERROR"],
    [{ steps: [trigger, delay], transitions: [] }, 404, "WORKFLOW_NOT_FOUND"],
  ])("of a workflow that does not exist, %j is %i", async (graph, status, code) => {
    const answer = await it.api(`PUT /workflows/${unknown}/graph`, { body: { version: 1, ...graph } })
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const delay = { amount: 1, unit: "hours" }
const exits = { type: "EXIT", config: {} }
const isPro = { field: "data.plan", operator: "equals", value: "pro" }
const unknown = "0199c0de-0000-7000-8000-00000000dead"

/** Creates a workflow and resolves to calls below its path. */
async function newWorkflow(fields: object = {}) {
  const created = await it.api("POST /workflows", { body: { name: "Welcome", eventName: "signup", ...fields } })
  expect(created.status).toBe(201)
  const path = `/workflows/${created.body.id}`
  const call = (route: string, body?: object) => it.api(route.replace(" ", ` ${path}`), body ? { body } : {})
  const step = (type: string, config: object = {}, rest: object = {}) =>
    call("POST /steps", { type, name: type, config, ...rest })
  const link = (from: string, to: string, rest: object = {}) =>
    call("POST /transitions", { fromStepId: from, toStepId: to, ...rest })
  const edges = async () => {
    const { body } = await call("GET ")
    return body.transitions.map(({ fromStepId, toStepId, branch }: Record<string, unknown>) => [
      fromStepId,
      toStepId,
      branch,
    ])
  }
  return { id: created.body.id, body: created.body, trigger: created.body.steps[0], call, step, link, edges }
}

describe("A workflow (contract B5.2)", () => {
  test("is created disabled, started by an event, with a TRIGGER step", async () => {
    const { body, trigger } = await newWorkflow({ name: " Welcome ", enabled: true, triggerType: "MANUAL" })
    expect(body).toMatchObject({
      name: "Welcome",
      enabled: false,
      triggerType: "EVENT",
      triggerConfig: { eventName: "signup" },
      allowReentry: false,
      transitions: [],
    })
    expect(trigger).toMatchObject({
      type: "TRIGGER",
      position: { x: 100, y: 100 },
      config: { eventName: "signup" },
      templateId: null,
      template: null,
    })
  })

  test.each([
    [{ eventName: "a" }, "name"],
    [{ name: " ", eventName: "a" }, "name"],
    [{ name: "a".repeat(256), eventName: "a" }, "name"],
    [{ name: "A" }, "eventName"],
    [{ name: "A", eventName: "a", allowReentry: "yes" }, "allowReentry"],
  ])("is not created with %j", async (body, field) => {
    const answer = await it.api("POST /workflows", { body })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, field])
  })

  test("changes what is sent; MANUAL has no event, and EVENT needs one", async () => {
    const { call, trigger } = await newWorkflow()
    const manual = await call("PATCH ", { triggerType: "MANUAL", enabled: true, description: "By hand" })
    expect(manual.body).toMatchObject({ triggerType: "MANUAL", triggerConfig: {}, enabled: true, name: "Welcome" })
    expect((await call("PATCH ", { triggerType: "EVENT" })).status).toBe(422)
    expect((await call("PATCH ", { triggerType: "CRON" })).status).toBe(422)
    // Null is no value for a field that has one (contract A1.1.5).
    for (const triggerConfig of [null, { eventName: null }])
      expect((await call("PATCH ", { triggerConfig })).status).toBe(422)
    await call("PATCH ", { triggerType: "EVENT", triggerConfig: { eventName: "email.sent" } })
    // A config without a name does not leave the stored one: an answer of 200 would hide that "event" is misspelt.
    for (const triggerConfig of [{}, { event: "signup" }]) {
      const { status, body } = await call("PATCH ", { triggerConfig })
      const [{ field, code }] = body.error.errors
      expect([status, field, code]).toEqual([422, "triggerConfig.eventName", "required"])
    }
    const { body } = await call("GET ")
    expect(body.steps).toMatchObject([{ id: trigger.id, config: { eventName: "email.sent" } }])
  })

  test("is listed with counts, found by a text, and gone after its deletion", async () => {
    const { id, call, step } = await newWorkflow({ name: "Win-back ÄÖ" })
    await step("DELAY", delay)
    const listed = await it.api("GET /workflows?search=WIN-back")
    expect(listed.body).toMatchObject({ total: 1, data: [{ id, _count: { steps: 2, executions: 0 } }] })
    expect((await call("DELETE ")).status).toBe(204)
    const gone = await call("GET ")
    expect([gone.status, gone.body.error.code]).toEqual([404, "WORKFLOW_NOT_FOUND"])
  })
})

describe("Config of a step (contract B5.4)", () => {
  test.each([
    ["SEND_EMAIL", {}, "templateId"],
    ["SEND_EMAIL", { templateId: unknown, recipient: { type: "CUSTOM", customEmail: "a b" } }, "recipient.customEmail"],
    ["DELAY", { unit: "days" }, "amount"],
    ["DELAY", { amount: 0, unit: "days" }, "amount"],
    ["DELAY", { amount: 366, unit: "days" }, "amount"],
    ["DELAY", { amount: 1, unit: "weeks" }, "unit"],
    ["WAIT_FOR_EVENT", {}, "eventName"],
    ["WAIT_FOR_EVENT", { eventName: "buy", timeout: 31_536_001 }, "timeout"],
    ["WAIT_FOR_EVENT", { eventName: "buy", timeout: 0 }, "timeout"],
    ["CONDITION", { operator: "equals", value: 1 }, "field"],
    ["CONDITION", { ...isPro, field: "segment.x" }, "field"],
    ["CONDITION", { ...isPro, operator: "like" }, "operator"],
    ["CONDITION", { field: "data.plan", mode: "multi", branches: [] }, "branches"],
    ["WEBHOOK", {}, "url"],
    ["WEBHOOK", { url: "ftp://a.test" }, "url"],
    ["WEBHOOK", { url: "https://a.test", method: "HEAD" }, "method"],
    ["WEBHOOK", { url: "https://a.test", headers: { a: 1 } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", headers: { a: "b\tc" } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", headers: { a: "b\x7f" } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", headers: { a: "b\x85c" } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", headers: { "a\t": "b" } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", headers: { "a\x85": "b" } }, "headers"],
    ["WEBHOOK", { url: "https://a.test", body: { a: ["{{#if}"] } }, "body"],
    ["UPDATE_CONTACT", {}, "updates"],
    ["UPDATE_CONTACT", { subscriptionAction: "none" }, "updates"],
    ["UPDATE_CONTACT", { updates: { "": 1 } }, "updates"],
    ["UPDATE_CONTACT", { updates: { ["a".repeat(256)]: 1 } }, "updates"],
    ["UPDATE_CONTACT", { data: { ["a".repeat(256)]: 1 } }, "data"],
    ["UPDATE_CONTACT", { subscriptionAction: "drop" }, "subscriptionAction"],
    ["EXIT", { reason: "a".repeat(256) }, "reason"],
  ])("%s refuses %j", async (type, config, key) => {
    const { step } = await newWorkflow()
    const { status, body } = await step(type, config)
    expect([status, body.error.errors?.[0].field]).toEqual([422, `config.${key}`])
  })

  test.each([
    ["WAIT_FOR_EVENT", { eventName: "buy", timeout: 60 }],
    ["CONDITION", { ...isPro, field: "contact.data.plan" }],
    ["CONDITION", { field: "event.amount", operator: "greaterThan", value: 100 }],
    ["WEBHOOK", { url: "https://{{data.host}}/", body: "{{email}}" }],
    ["WEBHOOK", { url: "https://a.test", headers: { a: " ~\xa0\xff" } }],
    ["UPDATE_CONTACT", { updates: { ["ä".repeat(255)]: "{{email}}" } }],
    ["UPDATE_CONTACT", { subscriptionAction: "unsubscribe" }],
    ["EXIT", { reason: "done" }],
  ])("%s takes %j", async (type, config) => {
    const { step } = await newWorkflow()
    const { status, body } = await step(type, config)
    expect([status, body.config]).toEqual([201, config])
  })

  test("a second TRIGGER, and another config of the first, are refused", async () => {
    const { step, call, trigger } = await newWorkflow()
    expect((await step("TRIGGER")).status).toBe(400)
    expect((await call(`PATCH /steps/${trigger.id}`, { config: {} })).status).toBe(400)
    expect((await call(`DELETE /steps/${trigger.id}`)).status).toBe(400)
    expect((await call(`PATCH /steps/${unknown}`, { name: "A" })).status).toBe(404)
  })
})

describe("The graph (contract B5.3)", () => {
  test("leads the newest step without an exit to a new one", async () => {
    const { trigger, step, edges } = await newWorkflow()
    const first = (await step("DELAY", delay)).body
    const last = (await step("EXIT")).body
    await step("EXIT", {}, { autoConnect: false })
    expect(await edges()).toEqual([
      [trigger.id, first.id, null],
      [first.id, last.id, null],
    ])
  })

  test("an automatic transition gives way, an explicit one does not", async () => {
    const { trigger, step, link, edges } = await newWorkflow()
    const first = (await step("DELAY", delay)).body
    const second = (await step("DELAY", delay, { autoConnect: false })).body
    expect((await link(trigger.id, second.id)).status).toBe(201)
    expect(await edges()).toEqual([[trigger.id, second.id, null]])
    expect((await link(trigger.id, first.id)).status).toBe(400)
  })

  test("loses the transition of a branch with the branch (contract B5.3.4)", async () => {
    const { call, step, link, edges } = await newWorkflow()
    const branch = (id: string) => ({ id, name: id, operator: "equals", value: id })
    const multi = (...ids: string[]) => ({ mode: "multi", field: "data.plan", branches: ids.map(branch) })
    const alone = { autoConnect: false }
    const fork = (await step("CONDITION", multi("a", "b"), alone)).body.id
    const end = (await step("EXIT", {}, alone)).body.id
    for (const branch of ["a", "b", "default"]) expect((await link(fork, end, { branch })).status).toBe(201)
    const changed = await call(`PATCH /steps/${fork}`, { config: multi("a") })
    expect(changed.status).toBe(200)
    expect(await edges()).toEqual([
      [fork, end, "a"],
      [fork, end, "default"],
    ])
    await call(`PATCH /steps/${fork}`, { name: "Fork" })
    expect(await edges()).toHaveLength(2)
    await call(`PATCH /steps/${fork}`, { config: isPro })
    expect(await edges()).toEqual([])
  })

  test("refuses transitions that no graph can have", async () => {
    const { trigger, step, link } = await newWorkflow()
    const alone = { autoConnect: false }
    const rest = (await step("DELAY", delay, alone)).body.id
    const fork = (await step("CONDITION", isPro, alone)).body.id
    const end = (await step(exits.type, exits.config, alone)).body.id
    const wait = (await step("WAIT_FOR_EVENT", { eventName: "buy" }, alone)).body.id
    const refused = [
      link(rest, rest),
      link(rest, trigger.id),
      link(end, rest),
      link(fork, rest),
      link(fork, rest, { branch: "maybe" }),
    ]
    for (const { status } of await Promise.all(refused)) expect(status).toBe(400)
    expect((await link(rest, unknown)).status).toBe(404)
    expect((await link(fork, rest, { condition: { branch: "yes" } })).body).toMatchObject({
      branch: "yes",
      condition: { branch: "yes" },
    })
    expect((await link(fork, end, { branch: "yes" })).status).toBe(400)
    expect((await link(wait, end, { condition: { fallback: true } })).body.branch).toBe("timeout")
  })

  test("has no loop without a rest, neither linked nor spliced", async () => {
    const { step, link, call, edges } = await newWorkflow()
    const update = { updates: { plan: "vip" } }
    const [one, two, rest] = [
      (await step("UPDATE_CONTACT", update)).body.id,
      (await step("UPDATE_CONTACT", update, { autoConnect: false })).body.id,
      (await step("DELAY", delay, { autoConnect: false })).body.id,
    ]
    expect((await link(one, two)).status).toBe(201)
    expect((await link(two, one)).status).toBe(400)
    expect((await link(two, rest)).status).toBe(201)
    expect((await link(rest, one)).status).toBe(201)
    const before = await edges()
    expect((await call(`DELETE /steps/${rest}?splice=true`)).status).toBe(400)
    expect(await edges()).toEqual(before)
    expect((await call(`DELETE /steps/${two}?splice=true`)).status).toBe(204)
    expect((await edges()).slice(1)).toEqual([
      [one, rest, null],
      [rest, one, null],
    ])
  })
})

describe("What a workflow uses", () => {
  test("a template that a step sends cannot be deleted, and is named with the step", async () => {
    const template = await createTemplate(it)
    const { id, step } = await newWorkflow()
    expect((await step("SEND_EMAIL", { templateId: unknown })).body.error.code).toBe("TEMPLATE_NOT_FOUND")
    const { body } = await step("SEND_EMAIL", {}, { templateId: template.id })
    expect(body.template).toEqual({ id: template.id, name: template.name })
    const use = { workflowId: id, workflowName: "Welcome", stepId: body.id, stepName: "SEND_EMAIL" }
    const refused = await it.api(`DELETE /templates/${template.id}`)
    expect([refused.status, refused.body.error.details]).toEqual([409, use])
    expect((await it.api(`GET /templates/${template.id}/usage`)).body.workflowSteps).toEqual([use])
  })

  test("the event that starts an enabled workflow, and the one it waits for, name it", async () => {
    const { id, call, step } = await newWorkflow({ name: "Cart", eventName: "cart" })
    await step("WAIT_FOR_EVENT", { eventName: "paid" })
    const usage = async (name: string) => (await it.api(`GET /events/${name}/usage`)).body
    expect(await usage("cart")).toMatchObject({ usedInWorkflows: [{ id, name: "Cart" }], canDelete: true })
    await call("PATCH ", { enabled: true })
    expect(await usage("cart")).toMatchObject({ canDelete: false })
    expect(await usage("paid")).toMatchObject({ usedInWorkflows: [{ id, name: "Cart" }], canDelete: true })
  })

  test("the sender domain of a template cannot be deleted while an enabled workflow sends it", async () => {
    const template = await createTemplate(it)
    const { call, step } = await newWorkflow()
    const { id } = (await step("SEND_EMAIL", { templateId: template.id })).body
    const blocking = async () => {
      const { references, store } = it.app
      const uses = await references.to(store.read, it.project.id, { kind: "domain", key: "acme.test" })
      return uses.filter(({ blocks }) => blocks).map((use) => use.id)
    }
    expect(await blocking()).toEqual([])
    await call("PATCH ", { enabled: true })
    expect(await blocking()).toEqual([id])
  })

  test("a project knows whether a workflow is enabled", async () => {
    const alone = await startTestApp()
    const has = () => alone.app.workflows.hasEnabled(alone.project.id)
    const { body } = await alone.api("POST /workflows", { body: { name: "A", eventName: "a" } })
    expect(await has()).toBe(false)
    await alone.api(`PATCH /workflows/${body.id}`, { body: { enabled: true } })
    expect(await has()).toBe(true)
    await alone.close()
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, inRow, newScenario, steps, type TestStep } from "../harness/workflows.ts"

const { mail, delay, wait, condition, update, webhook, exit } = steps

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({
    overrides: { outbound: () => Promise.reject(new Error("A simulation makes no request.")) },
  })
})
afterAll(() => it.close())

const simulate = (id: string, body: object = {}) => it.api(`POST /workflows/${id}/simulate`, { body })

/** A workflow that mails once a day, without end. */
async function circle() {
  const { start } = await newScenario(it)
  const first = { ...mail("R"), exits: {} as Record<string, TestStep> }
  first.exits[""] = delay(1, "days")
  const flow = await start(first)
  const link = { fromStepId: flow.ids.get("D"), toStepId: flow.ids.get("R") }
  await it.api(`POST /workflows/${flow.id}/transitions`, { body: link })
  return flow
}

/** How many rows of each kind there are. */
const rows = () => Promise.all([contactTable, emailTable, eventTable].map((table) => it.app.store.read.$count(table)))

/** The steps of an answer as `name at minutes`, and its end. */
function told({ body: { startedAt, status, exitReason, steps } }: ApiAnswer): (string | null)[] {
  const names = steps.map(
    (step: { name: string; startedAt: string }) =>
      `${step.name} ${(Date.parse(step.startedAt) - Date.parse(startedAt)) / 60_000}`,
  )
  return [names.join(", "), status, exitReason]
}

describe("A simulation (contract B5.10)", () => {
  test("walks through rests in virtual time, and leaves no trace", async () => {
    const { start, own, K } = await newScenario(it)
    const flow = await start(
      inRow(
        mail("R"),
        delay(2, "days"),
        update({ updates: { plan: "vip", seen: "{{event.code}}" }, subscriptionAction: "unsubscribe" }),
        webhook({ url: "https://crm.example.com/{{plan}}", headers: { "X-Code": "{{code}}" } }),
        wait(own("buy"), 60, { "": mail("M"), timeout: exit("gone") }),
      ),
    )
    const before = await rows()
    const body = {
      contactId: K.id,
      event: { data: { code: "A1" } },
      events: [
        { after: "1h", name: own("buy") },
        { after: "2900m", name: own("buy") },
      ],
    }
    const answer = await simulate(flow.id, body)
    expect(answer.status).toBe(200)
    expect(told(answer)).toEqual(["Trigger 0, R 0, D 0, U 2880, H 2880, W 2880, M 2900", "COMPLETED", null])
    const [, R, D, U, H, W, M] = answer.body.steps
    expect(R.email).toMatchObject({ to: K.email, subject: "R", error: null })
    expect(R.email.html).toContain("<p>A1</p>")
    expect(Date.parse(D.scheduledFor) - Date.parse(D.startedAt)).toBe(2 * 86_400_000)
    expect(U.contact).toEqual({
      before: { subscribed: true, data: { plan: "pro" } },
      after: { subscribed: false, data: { plan: "vip", seen: "A1" } },
    })
    expect(H.request).toMatchObject({ url: "https://crm.example.com/vip", method: "POST", headers: { "X-Code": "A1" } })
    expect(JSON.parse(H.request.body)).toMatchObject({
      contact: { id: K.id, subscribed: false },
      event: { code: "A1" },
    })
    expect([W.branch, W.nextStepId]).toEqual([null, flow.ids.get("M")])
    expect(M.email).toMatchObject({ subject: "M", error: "unsubscribed" })
    await it.settle()
    expect(await rows()).toEqual(before)
    expect((await it.api(`GET /workflows/${flow.id}/executions`)).body.total).toBe(0)
    expect((await it.api(`GET /contacts/${K.id}`)).body.data).toEqual({ plan: "pro" })
  })

  test("of a made-up contact, and of a workflow that is disabled", async () => {
    const { own } = await newScenario(it)
    const isPro = { field: "data.plan", operator: "equals", value: "pro" }
    const flow = await createWorkflow(it, own("s"), condition(isPro, { yes: mail("R"), no: exit("free") }), {
      enabled: false,
    })
    const pro = await simulate(flow.id, { contact: { email: "Ada@Example.com", data: { plan: "pro" } } })
    expect(told(pro)).toEqual(["Trigger 0, C 0, R 0", "COMPLETED", null])
    expect([pro.body.steps[1].branch, pro.body.steps[2].email.to]).toEqual(["yes", "ada@example.com"])
    expect(told(await simulate(flow.id))).toEqual(["Trigger 0, C 0, X 0", "EXITED", "free"])
  })

  test("of a graph that is not saved, whose faults are named", async () => {
    const { start } = await newScenario(it)
    const flow = await start(mail("R"))
    const trigger = { id: "t", type: "TRIGGER", name: "Trigger" }
    const rest = { id: "d", type: "DELAY", name: "D", config: { amount: 1, unit: "days" } }
    const graph = (config: object) => ({
      steps: [trigger, { ...rest, config }],
      transitions: [{ fromStepId: "t", toStepId: "d" }],
    })
    const answer = await simulate(flow.id, { graph: graph(rest.config), until: "2d" })
    expect(told(answer)).toEqual(["Trigger 0, D 0", "COMPLETED", null])
    expect(told(await simulate(flow.id, { graph: graph(rest.config), until: "1h" }))[1]).toBe("WAITING")
    const faulty = await simulate(flow.id, { graph: graph({ amount: 1 }) })
    expect([faulty.status, faulty.body.error.errors[0].field]).toEqual([422, "graph.steps.1.config.unit"])
    expect((await it.api(`GET /workflows/${flow.id}`)).body.steps).toHaveLength(2)
  })

  test("ends after 1,000 steps, and where a step fails", async () => {
    const { body } = await simulate((await circle()).id)
    expect([body.status, body.exitReason, body.steps.length]).toEqual(["FAILED", "step_limit", 1_000])

    const { start: startOther } = await newScenario(it)
    const failing = await startOther(mail("R", { type: "CUSTOM", customEmail: "{{boss}}" }))
    const failed = await simulate(failing.id, { event: { data: { boss: "nobody" } } })
    expect(told(failed).slice(1)).toEqual(["FAILED", "step_failed"])
    expect(failed.body.steps[1]).toMatchObject({ status: "FAILED", error: '"nobody" is not an email address.' })
  })

  test("of another project comes before many of one project", async () => {
    const long = await circle()
    const other = await it.app.projects.create("Other")
    const body = { name: "Short", eventName: "go" }
    const { id } = (await it.api("POST /workflows", { key: other.secret, body })).body
    let ended = 0
    const many = Array.from({ length: 6 }, () => simulate(long.id).then(() => ended++))
    await Promise.race(many)
    const answer = await it.api(`POST /workflows/${id}/simulate`, { key: other.secret, body: {} })
    expect([answer.status, ended < 4]).toEqual([200, true])
    await Promise.all(many)
  })

  test("goes on after each slice with the same contact and what the steps have made of it", async () => {
    const { start, K } = await newScenario(it)
    const flow = await start(undefined)
    const { steps: live } = (await it.api(`GET /workflows/${flow.id}`)).body
    const many = Array.from({ length: 150 }, (_, at) => at)
    const change = (at: number) => ({ type: "UPDATE_CONTACT", config: { updates: { last: at, [`seen${at}`]: true } } })
    const hook = { type: "WEBHOOK", config: { url: "https://crm.example.com/{{last}}" } }
    const middle = many.flatMap((at) => [
      { id: `u${at}`, name: "U", ...change(at) },
      { id: `d${at}`, name: "D", type: "DELAY", config: { amount: 1, unit: "hours" } },
      { id: `h${at}`, name: "H", ...hook },
    ])
    const steps = [live[0], ...middle]
    const transitions = middle.map(({ id }, at) => ({ fromStepId: steps[at].id, toStepId: id }))
    const answer = await simulate(flow.id, { graph: { steps, transitions }, contact: { email: K.email } })
    expect([answer.body.status, answer.body.complete, answer.body.steps.length]).toEqual(["COMPLETED", true, 451])
    type Shown = { name: string; request: { url: string; body: string }; contact: { after: { data: object } } }
    const shown = answer.body.steps as Shown[]
    const hooks = shown.filter(({ name }) => name === "H").map(({ request }) => request)
    expect(hooks.map(({ url }) => url)).toEqual(many.map((at) => `https://crm.example.com/${at}`))
    const ids = new Set(hooks.map(({ body }) => JSON.parse(body).contact.id))
    expect([ids.size, ids.has(K.id)]).toEqual([1, false])
    const last = shown.findLast(({ name }) => name === "U")?.contact.after.data ?? {}
    expect(Object.keys(last)).toHaveLength(151)
    expect((await it.api(`GET /contacts/${K.id}`)).body.data).toEqual({ plan: "pro" })
  })

  test("ends where a change of the contact is refused", async () => {
    const { start } = await newScenario(it)
    const flow = await start(inRow(mail("R"), update({ updates: { long: "{{long}}" } })))
    const long = "x".repeat(200_000)
    const { body } = await simulate(flow.id, { contact: { data: { long, other: long.slice(0, 60_000) } } })
    expect([body.status, body.exitReason, body.steps.length]).toEqual(["COMPLETED", null, 3])
    const tooLong = await simulate(flow.id, {
      contact: { data: { other: "x".repeat(100_000) } },
      event: { data: { long: "x".repeat(200_000) } },
    })
    expect([tooLong.body.status, tooLong.body.exitReason, tooLong.body.steps.length]).toEqual([
      "FAILED",
      "step_failed",
      2,
    ])
    expect(tooLong.body.error).toContain("bytes")
  })

  test("counts the mails of a circle however slow it is (contract B5.4.12)", async () => {
    const { start } = await newScenario(it)
    // So many that they are not run in one unit.
    const others = Array.from({ length: 40 }, (_, n) => update({ updates: { [`f${n}`]: n } }))
    const flow = await start(inRow(mail("R"), ...others, delay(0.1, "minutes")))
    const link = { fromStepId: flow.ids.get("D"), toStepId: flow.ids.get("R") }
    await it.api(`POST /workflows/${flow.id}/transitions`, { body: link })
    const { body } = await simulate(flow.id)
    const mails = body.steps.filter(({ name }: { name: string }) => name === "R")
    expect([mails.length, mails.at(-1).status, body.exitReason]).toEqual([21, "FAILED", "step_failed"])
  })

  test("shows what the last of a thousand steps changes (contract B5.6.7)", async () => {
    const { start } = await newScenario(it)
    const counts = { ...update({ updates: { n: "{{n}}i" } }), label: "U1" }
    const flow = await start(inRow({ ...update({ updates: { n: "" } }), label: "U0" }, delay(1, "days"), counts))
    const link = { fromStepId: flow.ids.get("U1"), toStepId: flow.ids.get("D") }
    await it.api(`POST /workflows/${flow.id}/transitions`, { body: link })
    const { body } = await simulate(flow.id)
    const { before, after } = body.steps.at(-1).contact
    expect([body.steps.length, body.exitReason]).toEqual([1_000, "step_limit"])
    expect([before.data.n.length, after.data.n.length]).toEqual([498, 499])
  })

  test("refuses what it cannot run", async () => {
    const { start } = await newScenario(it)
    const flow = await start(mail("R"))
    const unknown = "0199c0de-0000-7000-8000-00000000dead"
    expect((await simulate(unknown)).body.error.code).toBe("WORKFLOW_NOT_FOUND")
    expect((await simulate(flow.id, { contactId: unknown })).body.error.code).toBe("CONTACT_NOT_FOUND")
    for (const body of [{ until: "soon" }, { events: [{ after: "1y", name: "a" }] }, { contact: { email: "x" } }])
      expect((await simulate(flow.id, body)).status).toBe(422)
  })

  test("stops where it is told to, also at its beginning", async () => {
    const { start } = await newScenario(it)
    const flow = await start(inRow(mail("R"), delay(1, "hours"), exit()))
    expect(told(await simulate(flow.id, { until: "0s" }))).toEqual(["Trigger 0, R 0, D 0", "WAITING", null])
    expect(told(await simulate(flow.id, { until: "60m" }))[1]).toBe("EXITED")
  })

  test("reads the data of events as the engine does", async () => {
    const { start, own } = await newScenario(it)
    const flow = await start(
      inRow(condition({ field: "event.amount", operator: "equals", value: 5 }, { yes: exit("five") })),
    )
    const amount = { value: 5, persistent: false }
    expect(told(await simulate(flow.id, { event: { data: { amount } } }))[2]).toBe("five")
    const groups = [{ filters: [{ field: "event.amount", operator: "equals", value: 5 }] }]
    const waiting = wait(own("buy"), undefined, { "": exit("bought") })
    const filtered = await start({ ...waiting, config: { ...waiting.config, filter: { logic: "AND", groups } } })
    const events = [{ after: "1h", name: own("buy"), data: { amount } }]
    expect(told(await simulate(filtered.id, { events }))[2]).toBe("bought")
  })

  test("makes up a contact with nothing of a real one that has its address", async () => {
    const { start, K } = await newScenario(it, { plan: "pro" }, false)
    const flow = await start(
      inRow(mail("M"), condition({ field: "data.plan", operator: "exists" }, { yes: exit("real"), no: exit("new") })),
    )
    const answer = await simulate(flow.id, { contact: { email: K.email, data: { city: "Köln" } } })
    expect(told(answer)[2]).toBe("new")
    expect(answer.body.steps[1].email).toMatchObject({ to: K.email, error: null })
    expect((await it.api(`GET /contacts/${K.id}`)).body).toMatchObject({ subscribed: false, data: { plan: "pro" } })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { day, hour, minute, second } from "../../src/kernel/clock.ts"
import { deferred, sent } from "../../src/mail/transport.ts"
import { pauseSending } from "../../src/store/sending-pause.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, inRow, newScenario, steps, type TestStep, traces } from "../harness/workflows.ts"

/** The scenarios of contract B5.9 with effects on contacts, other servers, projects and the graph, by their numbers. */
const { mail, delay, condition, update, webhook, exit } = steps

let it: TestApp
const hook = { status: 200, keys: [] as (string | null)[] }
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    hook.keys.push(request.headers.get("Idempotency-Key"))
    return new Response("ok", { status: hook.status })
  },
})

beforeAll(async () => {
  it = await startTestApp({ settings: { "webhooks.allow": "127.0.0.1" } })
})
afterAll(async () => {
  server.stop(true)
  await it.close()
})
beforeEach(() => Object.assign(hook, { status: 200, keys: [] }))

const call = (port = server.port) => webhook({ url: `http://127.0.0.1:${port}/` })
const drip = () => inRow(mail("R"), delay(1, "hours"), mail("R2"), exit("done"))

/** A port that nobody listens on. */
function closedPort(): number | undefined {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port } = other
  other.stop(true)
  return port
}

/** The only execution of a workflow, whole. */
async function executionOf({ id }: { id: string }) {
  const { body } = await it.api(`GET /workflows/${id}/executions`)
  return (await it.api(`GET /workflows/${id}/executions/${body.data[0].id}`)).body
}

describe("Worked scenarios of workflows (contract B5.9)", () => {
  test("23: a condition sees what was updated before", async () => {
    const { track, start, mails } = await newScenario(it, {})
    const isVip = { field: "data.plan", operator: "equals", value: "vip" }
    const flow = await start(inRow(update({ updates: { plan: "vip" } }), condition(isVip, { yes: mail("R") })))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T U C R; COMPLETED"])
    expect(await mails()).toEqual(["R at 0"])
  })

  test("24: an unsubscription by a step starts another workflow", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(inRow(update({ subscriptionAction: "unsubscribe" }), mail("M")))
    const second = await createWorkflow(it, "contact.unsubscribed", mail("R"))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T U M; COMPLETED"])
    expect(await traces(it, second)).toEqual(["T R; COMPLETED"])
    expect((await executionOf(second)).context).toEqual({ reason: "workflow" })
    expect((await mails()).toSorted()).toEqual(["M at 0 FAILED unsubscribed", "R at 0"])
    await it.api(`PATCH /workflows/${second.id}`, { body: { enabled: false } })
  })

  test("a mail of marketing leaves although the next step unsubscribes; one that is tried again later does not", async () => {
    const { track, start, contact, K } = await newScenario(it)
    const flow = await start(inRow(mail("M"), update({ subscriptionAction: "unsubscribe" })))
    const outcome = async ({ id }: { id: string }) => {
      const { body } = await it.api(`GET /emails?contactId=${id}`)
      return body.data.map(({ status, error }: { status: string; error: string | null }) => [status, error])
    }
    await track("s")
    expect(await traces(it, flow)).toEqual(["T M U; COMPLETED"])
    expect(await outcome(K)).toEqual([["SENT", null]])

    // The decision of the step holds for a minute.
    it.transport.answer = () => deferred("Later.")
    const other = await contact({ plan: "pro" })
    await track("s", { of: other })
    it.transport.answer = () => sent(null)
    await it.advance({ minutes: 10 })
    expect(await outcome(other)).toEqual([["CANCELLED", "unsubscribed"]])
  })

  test("a bounce, or the provider's unsubscribe, is only about the address that the mail went to (contract B9.3)", async () => {
    const { track, start, contact, K } = await newScenario(it)
    await start(inRow(mail("R", { type: "CUSTOM", customEmail: "sales@acme.test" }), mail("M")))
    const report = (id: string) =>
      it.app.store.write(it.project.id, (unit) =>
        it.app.emails.report(unit, id, { kind: "bounce", bounceType: "Permanent" }),
      )
    const leave = (id: string) =>
      it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, { kind: "unsubscribe" }))
    const mailsTo = async ({ id }: { id: string }) => (await it.api(`GET /emails?contactId=${id}`)).body.data
    const subscribed = async ({ id }: { id: string }) => (await it.api(`GET /contacts/${id}`)).body.subscribed
    await track("s")
    const moved = await contact({ plan: "pro" })
    await track("s", { of: moved })
    await it.api(`PATCH /contacts/${moved.id}`, { body: { email: `new.${moved.email}` } })
    for (const { id } of await mailsTo(moved)) {
      await leave(id)
      await report(id)
    }
    expect(await subscribed(moved)).toBe(true)
    const [own, custom] = await mailsTo(K)
    expect([own.to, custom.to]).toEqual([K.email, "sales@acme.test"])
    await report(custom.id)
    expect(await subscribed(K)).toBe(true)
    await report(own.id)
    expect(await subscribed(K)).toBe(false)
  })

  test("25: a request that is answered", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(inRow(call(), mail("R")))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T H R; COMPLETED"])
    const { stepExecutions } = await executionOf(flow)
    expect(stepExecutions[1].output).toEqual({
      url: `http://127.0.0.1:${server.port}/`,
      method: "POST",
      statusCode: 200,
      success: true,
      response: "ok",
      attempts: 1,
    })
    expect(hook.keys).toEqual([stepExecutions[1].id])
    expect(await mails()).toEqual(["R at 0"])
  })

  test("26: a server that always fails", async () => {
    const { track, start, at, mails } = await newScenario(it)
    hook.status = 500
    const flow = await start(inRow(call(), mail("R")))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T H(RUNNING); RUNNING"])
    await at(5 * second, 35 * second, 154 * second)
    expect(hook.keys).toHaveLength(3)
    await at(155 * second)
    const { stepExecutions, status } = await executionOf(flow)
    expect([status, stepExecutions[1].output]).toMatchObject(["COMPLETED", { success: false, attempts: 4 }])
    expect(new Set(hook.keys)).toEqual(new Set([stepExecutions[1].id]))
    expect(await mails()).toEqual([`R at ${155 / 60}`])
  })

  test("27: an answer that is not repeated", async () => {
    const { track, start, mails } = await newScenario(it)
    hook.status = 404
    const flow = await start(inRow(call(), mail("R")))
    await track("s")
    const { stepExecutions } = await executionOf(flow)
    expect(stepExecutions[1].output).toMatchObject({ success: false, statusCode: 404, attempts: 1 })
    expect(await mails()).toEqual(["R at 0"])
  })

  test("28: nobody listens", async () => {
    const { track, start, at, mails } = await newScenario(it)
    const flow = await start(inRow(call(closedPort()), mail("R")))
    await track("s")
    await at(5 * second, 35 * second, 154 * second)
    expect(await traces(it, flow)).toEqual(["T H(RUNNING); RUNNING"])
    await at(155 * second)
    expect(await traces(it, flow)).toEqual(["T H(FAILED); FAILED step_failed"])
    expect(await mails()).toEqual([])
  })

  test("29: an address that may not be called", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(inRow(webhook({ url: `http://127.0.0.2:${server.port}/` }), mail("R")))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T H(FAILED); FAILED step_failed"])
    expect([await mails(), hook.keys]).toEqual([[], []])
  })

  test("30: a loop ends after 1,000 steps", async () => {
    const { track, start, K } = await newScenario(it)
    const first = { ...mail("R"), exits: {} as Record<string, TestStep> }
    const rest = delay(1, "days")
    first.exits[""] = rest
    const flow = await start(first)
    const link = { fromStepId: flow.ids.get("D"), toStepId: flow.ids.get("R") }
    expect((await it.api(`POST /workflows/${flow.id}/transitions`, { body: link })).status).toBe(201)
    await track("s")
    const worker = it.app.modules.find(({ name }) => name === "workflows")?.worker
    for (let days = 1; days <= 500; days++) {
      await it.clock.advance(day)
      await worker?.drain()
    }
    const { status, exitReason, stepExecutions } = await executionOf(flow)
    expect([status, exitReason, stepExecutions.length]).toEqual(["FAILED", "step_limit", 1_000])
    const names = stepExecutions.map((each: { step: { name: string } }) => each.step.name)
    expect([names.filter((name: string) => name === "R").length, names.at(-1)]).toEqual([500, "R"])
    expect((await it.api(`GET /emails?contactId=${K.id}`)).body.total).toBe(500)
  })

  test("31: a loop without a rest", async () => {
    const { start } = await newScenario(it)
    const flow = await start(inRow(mail("R"), mail("R2")))
    const link = { fromStepId: flow.ids.get("R2"), toStepId: flow.ids.get("R") }
    expect((await it.api(`POST /workflows/${flow.id}/transitions`, { body: link })).status).toBe(400)
    expect((await it.api(`GET /workflows/${flow.id}`)).body.transitions).toHaveLength(2)
  })

  test("32: a step is spliced, but not while a contact stands on it", async () => {
    const { track, start, contact, at } = await newScenario(it)
    const flow = await start(inRow(delay(1, "hours"), mail("R")))
    await track("s")
    const path = `/workflows/${flow.id}/steps/${flow.ids.get("D")}?splice=true`
    expect((await it.api(`DELETE ${path}`)).status).toBe(409)
    await at(2 * hour)
    expect((await it.api(`DELETE ${path}`)).status).toBe(204)
    await track("s", { of: await contact({}) })
    expect((await traces(it, flow))[1]).toBe("T R; COMPLETED")
  })

  test("33: a step is deleted plainly", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(inRow(mail("R"), exit()))
    expect((await it.api(`DELETE /workflows/${flow.id}/steps/${flow.ids.get("R")}`)).status).toBe(204)
    await track("s")
    expect([await traces(it, flow), await mails()]).toEqual([["T; COMPLETED"], []])
    expect((await it.api(`GET /workflows/${flow.id}`)).body.steps).toHaveLength(2)
  })

  test("34: a mail to another address", async () => {
    const { track, start, K } = await newScenario(it)
    await start(mail("R", { type: "CUSTOM", customEmail: "ops@x.test" }))
    await track("s", { data: { code: "A1" } })
    const { body } = await it.api(`GET /emails?contactId=${K.id}`)
    expect(body.data).toMatchObject([{ to: "ops@x.test", contactId: K.id }])
  })

  test("35: started by hand, with a context", async () => {
    const { start, K, contact } = await newScenario(it)
    const template = await it.api("POST /templates", {
      body: {
        name: "Codes",
        subject: "{{code}} {{event.code}} {{workflow.code}}",
        body: "<p>{{code}}</p>",
        from: "hi@acme.test",
      },
    })
    const flow = await start(undefined, { enabled: false })
    const body = { type: "SEND_EMAIL", name: "R", config: { templateId: template.body.id } }
    await it.api(`POST /workflows/${flow.id}/steps`, { body })
    const begin = (contactId: string, rest: object = {}) =>
      it.api(`POST /workflows/${flow.id}/executions`, { body: { contactId, ...rest } })
    expect((await begin(K.id)).status).toBe(400)
    await it.api(`PATCH /workflows/${flow.id}`, { body: { enabled: true } })
    const started = await begin(K.id, { context: { code: "A1" } })
    expect([started.status, started.body]).toMatchObject([201, { status: "RUNNING", contact: { email: K.email } }])
    await it.settle()
    expect((await it.api(`GET /emails?contactId=${K.id}`)).body.data[0].subject).toBe("A1 A1 A1")
    expect((await begin(K.id)).status).toBe(409)
    expect((await begin("0199c0de-0000-7000-8000-00000000dead")).body.error.code).toBe("CONTACT_NOT_FOUND")
    expect((await begin((await contact({})).id, { context: { long: "x".repeat(65_536) } })).status).toBe(422)
  })

  test("36: a segment starts it", async () => {
    const { K, mails, own } = await newScenario(it)
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "data.plan", operator: "equals", value: own("vip") }] }],
    }
    const { body: segment } = await it.api("POST /segments", {
      body: { name: "Vip", condition, trackMembership: true },
    })
    const flow = await createWorkflow(it, "segment.vip.entry", mail("R"))
    await it.api(`PATCH /contacts/${K.id}`, { body: { data: { plan: own("vip") } } })
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T R; COMPLETED"])
    expect((await executionOf(flow)).context).toEqual({ segmentId: segment.id, segmentName: "Vip" })
    expect(await mails()).toEqual(["R at 0"])
  })

  test("37: the server is down meanwhile", async () => {
    const { track, start, at, K } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    await at(30 * minute)
    const { clock, ids, folder } = it
    await it.stop()
    await clock.advance(2.5 * hour)
    it = await startTestApp({ folder, clock, ids, settings: { "webhooks.allow": "127.0.0.1" } })
    await it.settle()
    expect(await traces(it, flow)).toEqual(["T R D R2 X; EXITED done"])
    const { body } = await it.api(`GET /emails?contactId=${K.id}`)
    expect(body.data).toMatchObject([
      { subject: "R2", createdAt: new Date(clock.now()).toISOString() },
      { subject: "R" },
    ])
  })

  test("38: the project is disabled meanwhile", async () => {
    const { track, start, at, mails } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    await at(30 * minute)
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, null)
    await at(2 * hour)
    expect(await traces(it, flow)).toEqual(["T R D(SKIPPED); CANCELLED project_disabled"])
    expect(await mails()).toEqual(["R at 0"])
  })

  test("39: the contact is deleted meanwhile", async () => {
    const { track, start, at, K } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    const { id } = await executionOf(flow)
    await at(30 * minute)
    const before = it.sent().length
    await it.api(`DELETE /contacts/${K.id}`)
    await at(2 * hour)
    expect((await it.api(`GET /workflows/${flow.id}/executions/${id}`)).status).toBe(404)
    expect(it.sent()).toHaveLength(before)
  })

  test("40: the sender domain is lost", async () => {
    const { track, start, mails } = await newScenario(it)
    const lost = await it.app.domains.add(it.project.id, "lost.test", { vouched: true })
    const template = { name: "Lost", subject: "R", body: "<p>R</p>", from: "hi@lost.test" }
    const { body } = await it.api("POST /templates", { body: template })
    const flow = await start(undefined, { enabled: false })
    const step = { type: "SEND_EMAIL", name: "R", config: { templateId: body.id } }
    await it.api(`POST /workflows/${flow.id}/steps`, { body: step })
    expect((await it.api(`DELETE /domains/${lost.id}`)).status).toBe(204)
    await it.api(`PATCH /workflows/${flow.id}`, { body: { enabled: true } })
    await track("s")
    expect([await traces(it, flow), await mails()]).toEqual([["T R(FAILED); FAILED step_failed"], []])
  })

  test("41: an event without a contact", async () => {
    const { own, start } = await newScenario(it)
    const flow = await start(mail("R"))
    expect((await it.api("POST /events/track", { body: { name: own("s") } })).status).toBe(201)
    await it.settle()
    expect(await traces(it, flow)).toEqual([])
  })
})

test("a restored server makes no request and sends no mail until it is resumed (contract B8.3.24)", async () => {
  const { track, start } = await newScenario(it)
  const flow = await start(inRow(call(), mail("R")))
  pauseSending(it.folder, { since: it.clock.now(), takenAt: undefined })
  await track("s")
  await it.advance({ minutes: 5 })
  expect(hook.keys).toEqual([])
  await it.app.backups.resumeSending()
  await it.advance({ minutes: 1 })
  expect(hook.keys).toHaveLength(1)
  expect(await traces(it, flow)).toEqual(["T H R; COMPLETED"])
})

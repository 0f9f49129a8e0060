import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { day } from "../../src/kernel/clock.ts"
import type { SafeFetch } from "../../src/net/safe-fetch.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, inRow, steps, traces } from "../harness/workflows.ts"

/** The allowance of slow renderings (contract A3.6). The time of rendering passes by looking at it, the same on any machine. */
const lookMs = 0.25
let renderedMs = 0
let it: TestApp
/** The bodies of the requests of workflows. */
let asked: unknown[] = []
beforeEach(async () => {
  asked = []
  const outbound: SafeFetch = async (_, options) => {
    asked.push(options?.body)
    return { outcome: "answered", status: 200, headers: {}, body: new Uint8Array() }
  }
  it = await startTestApp({ overrides: { outbound, renderClock: () => (renderedMs += lookMs) } })
})
afterEach(() => it.close())

const numbers = (count: number) => ({ value: Array.from({ length: count }, (_, at) => at), persistent: false })
const loops = (depth: number) =>
  `${"{{#each @root.n}}".repeat(depth)}{{#if (eq this 5)}}{{/if}}${"{{/each}}".repeat(depth)}`
const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi {{name ?? there}}</p>" }
/** Takes longer than a rendering may. */
const endless = { ...mail, body: loops(3), data: { n: numbers(2_000) } }
/** Takes some hundred milliseconds. */
const slow = { ...mail, subject: "Slow", body: loops(2), data: { n: numbers(600) } }

const send = (body: object, key = "sk") => it.api("POST /v1/send", { body, key })

/** The status of an answer, and how long rendering took. */
async function timed(body: object, key?: string): Promise<{ status: number; ms: number }> {
  const before = renderedMs
  const { status } = await send(body, key)
  return { status, ms: renderedMs - before }
}

async function useUpAllowance(): Promise<void> {
  for (;;) if ((await send(endless)).status === 429) return
}

const refill = () => {
  renderedMs += 15_000
}

describe("A project whose templates are slow (contract A3.6)", () => {
  test("has a second for each of three, then the time of ordinary ones, until its allowance is refilled", async () => {
    const first = [await timed(endless), await timed(endless), await timed(endless)]
    expect(first.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(first.every(({ ms }) => ms > 999)).toBe(true)
    const answers = [await timed(endless), await timed(endless), await timed(endless)]
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(answers.slice(2).every(({ ms }) => ms < 50)).toBe(true)

    const { headers, body } = await send(slow)
    expect([body.error.code, body.error.details]).toEqual(["RATE_LIMIT_EXCEEDED", { retryAfter: 15 }])
    expect(headers.get("Retry-After")).toBe("15")
    refill()
    expect((await timed(slow)).status).toBe(200)
  })

  test("is told what a template does wrong although another one was stopped just before (contract A3.5)", async () => {
    const large = { ...mail, body: "{{#each @root.n}}{{@root.s}}{{/each}}" }
    const wide = { value: "x".repeat(20_000), persistent: false }
    expect((await send(endless)).body.error.errors).toMatchObject([{ field: "body", code: "custom" }])
    const { status, body } = await send({ ...large, data: { n: numbers(2_000), s: wide } })
    expect([status, body.error.errors]).toMatchObject([422, [{ field: "body", code: "custom" }]])
    expect((await send({ ...endless, subject: endless.body, body: "x" })).status).toBe(422)
  })

  test("sends ordinary mail all the time, to many as well", async () => {
    await useUpAllowance()
    expect((await send(mail)).status).toBe(200)
    const to = Array.from({ length: 300 }, (_, at) => `reader${at}@example.com`)
    expect((await send({ ...mail, to })).status).toBe(200)
    await it.settle()
    expect(it.sent()).toHaveLength(301)
  })

  test("takes nothing from another", async () => {
    await useUpAllowance()
    const other = await it.app.projects.create("Other")
    await it.app.domains.add(other.id, "other.test", { vouched: true })
    expect((await timed({ ...endless, from: "hi@other.test" }, other.secret)).status).toBe(422)
    refill()
    expect((await timed({ ...slow, from: "hi@other.test" }, other.secret)).status).toBe(200)
  })

  test("is refused previews, tests of content and the content of its mail like its requests to send", async () => {
    const { body } = await send(slow)
    await useUpAllowance()
    const { subject, body: source, data } = slow
    const preview = await it.api("POST /templates/preview", { body: { subject, body: source, data } })
    const shown = await it.api(`GET /emails/${body.data.emails[0].email}`)
    expect([preview.status, shown.status]).toEqual([429, 429])
    refill()
    expect((await it.api(`GET /emails/${body.data.emails[0].email}`)).status).toBe(200)
  })
})

describe("Mail whose rendering has to wait (contract A3.6)", () => {
  const stored = async (id: string) =>
    (await it.api("GET /emails")).body.data.find((row: { id: string }) => row.id === id)

  test("is sent later, without an attempt that counts", async () => {
    const id = (await send(slow)).body.data.emails[0].email
    await useUpAllowance()
    await it.settle()
    expect(it.sent()).toEqual([])
    for (let tries = 0; tries < 20; tries++) {
      await it.advance({ hours: 2 })
      expect(await stored(id)).toMatchObject({ status: "PENDING" })
    }
    refill()
    await it.advance({ hours: 2 })
    expect(it.sent().map((message) => message.subject)).toEqual(["Slow"])
  })

  test("fails when it has waited for three days", async () => {
    const id = (await send(slow)).body.data.emails[0].email
    await useUpAllowance()
    await it.settle()
    await it.advance({ days: 3 })
    await it.advance({ hours: 2 })
    await it.advance({ hours: 2 })
    expect(await stored(id)).toMatchObject({ status: "FAILED" })
    expect(it.sent()).toEqual([])
  })

  test("is not given up because the server was off for days before it was first tried", async () => {
    const id = (await send(slow)).body.data.emails[0].email
    await it.stop()
    const { folder, clock, ids } = it
    clock.jump(4 * day)
    it = await startTestApp({ folder, clock, ids, overrides: { renderClock: () => (renderedMs += lookMs) } })
    await useUpAllowance()
    await it.settle()
    expect(await stored(id)).toMatchObject({ status: "PENDING" })
    refill()
    await it.advance({ hours: 2 })
    expect(it.sent().map((message) => message.subject)).toEqual(["Slow"])
  })

  test("of workflows, with other steps that render, waits with its execution", async () => {
    const update = steps.update({ updates: { seen: `x${loops(2)}` } })
    const flow = await createWorkflow(it, "signup", inRow(update, steps.mail("R")))
    await useUpAllowance()
    const track = (email: string) =>
      it.api("POST /v1/track", { body: { email, event: "signup", data: { n: numbers(600) } } })
    await track("ada@example.com")
    await it.settle()
    await it.advance({ minutes: 30 })
    expect(await traces(it, flow)).toEqual(["T; RUNNING"])
    refill()
    await it.advance({ hours: 1 })
    expect(await traces(it, flow)).toEqual(["T U R; COMPLETED"])
    expect(it.sent()).toHaveLength(1)

    await useUpAllowance()
    await track("bo@example.com")
    await it.settle()
    const simulated = await it.api(`POST /workflows/${flow.id}/simulate`, {
      body: { event: { data: { n: numbers(600) } } },
    })
    expect(simulated.status).toBe(429)
    for (let times = 0; times < 16; times++) await it.advance({ hours: 6 })
    expect((await traces(it, flow))[1]).toBe("T U(FAILED); FAILED step_failed")
  })

  test("of a workflow loses no event that a step behind it waits for (contract B5.4.4)", async () => {
    const update = steps.update({ updates: { seen: `x${loops(2)}` } })
    const wait = steps.wait("buy", undefined, { "": steps.exit("bought") })
    const flow = await createWorkflow(it, "signup", inRow(update, wait))
    await useUpAllowance()
    for (const [event, data] of [
      ["signup", { n: numbers(600) }],
      ["buy", {}],
    ]) {
      await it.api("POST /v1/track", { body: { email: "ada@example.com", event, data } })
      await it.settle()
    }
    expect(await traces(it, flow)).toEqual(["T; RUNNING"])
    refill()
    await it.advance({ hours: 1 })
    expect(await traces(it, flow)).toEqual(["T U W X; EXITED bought"])
  })

  test("of a request of a workflow is a wait as well", async () => {
    const flow = await createWorkflow(it, "signup", steps.webhook({ url: "http://127.0.0.1:1/", body: `x${loops(2)}` }))
    await useUpAllowance()
    await it.api("POST /v1/track", { body: { email: "ada@example.com", event: "signup", data: { n: numbers(600) } } })
    await it.settle()
    await it.advance({ minutes: 10 })
    expect(asked).toEqual([])
    expect(await traces(it, flow)).toEqual(["T H(RUNNING); RUNNING"])
    refill()
    await it.advance({ hours: 1 })
    expect(asked).toEqual(["x"])
    expect(await traces(it, flow)).toEqual(["T H; COMPLETED"])
  })
})

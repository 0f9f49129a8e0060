import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { hour, minute } from "../../src/kernel/clock.ts"
import type { SafeFetch } from "../../src/net/safe-fetch.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { recordCommits } from "../harness/commits.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { createWorkflow, inRow, steps, type TestWorkflow, traces } from "../harness/workflows.ts"

const { mail, delay, wait, condition, update, webhook, exit } = steps
const contact = { email: "ada@example.com", data: { plan: "pro" } }
const isVip = { field: "data.plan", operator: "equals", value: "vip" }

/** Every kind of step. */
const everyStep = () =>
  inRow(
    mail("R"),
    delay(1, "hours"),
    wait("buy", 60, {
      "": inRow(
        update({ updates: { plan: "vip", times: "{{plan}}" }, subscriptionAction: "unsubscribe" }),
        webhook({ url: "https://crm.example.com/" }),
        condition(isVip, { yes: inRow(mail("R2"), exit("done")), no: exit("lost") }),
      ),
    }),
  )

/** The keys of the requests that were made. */
const keys = new Set<string>()
const outbound: SafeFetch = async (_, { headers = {} } = {}) => {
  keys.add(headers["Idempotency-Key"] ?? "none")
  return { outcome: "answered", status: 200, headers: {}, body: new Uint8Array() }
}

const hasEvent = async (it: TestApp, name: string): Promise<boolean> =>
  (await it.api(`GET /events?eventName=${name}`)).body.total > 0

/** What the world does from the present time of the app on: the event that starts it, and later the awaited one. */
async function resume(it: TestApp, startedAt: number): Promise<void> {
  const until = async (ms: number) => {
    await it.clock.advance(Math.max(0, startedAt + ms - it.clock.now()))
    await it.settle()
  }
  const track = async (event: string) => {
    if (await hasEvent(it, event)) return
    expect((await it.api("POST /v1/track", { body: { ...contact, event } })).status).toBe(200)
  }
  await track("start")
  await until(0)
  await until(hour)
  await until(90 * minute)
  await track("buy")
  await until(2 * hour)
}

async function endOf(it: TestApp, flow: TestWorkflow) {
  const { body: emails } = await it.api("GET /emails")
  const { body: contacts } = await it.api(`GET /contacts?search=${contact.email}`)
  const { body: unsubscribed } = await it.api("GET /events?eventName=contact.unsubscribed")
  return {
    traces: await traces(it, flow),
    mails: emails.data.map(({ subject }: { subject: string }) => subject).toSorted(),
    contact: [contacts.data[0].subscribed, contacts.data[0].data],
    unsubscribed: unsubscribed.total,
    requests: keys.size,
  }
}

/** A part of the commits each, so that a test ends in time on a slow machine. */
const parts = 3

test.each(Array.from({ length: parts }, (_, part) => part))(
  "killed after any commit, a workflow goes on where it was: nothing twice, nothing left out (part %#)",
  async (part) => {
    keys.clear()
    const it = await startTestApp({ overrides: { outbound } })
    const flow = await createWorkflow(it, "start", everyStep())
    const startedAt = it.clock.now()
    const tables = [
      "workflow_execution",
      "workflow_step_execution",
      "workflow_call",
      "email",
      "event",
      "contact",
      "cursor",
    ]
    const commits = recordCommits(it, tables)
    await resume(it, startedAt)
    const crashes = commits.stop()
    const expected = {
      traces: ["T R D W U H C R2 X; EXITED done"],
      mails: ["R", "R2"],
      contact: [false, { plan: "vip", times: "pro" }],
      unsubscribed: 1,
      requests: 1,
    }
    expect(await endOf(it, flow)).toEqual(expected)
    await it.close()
    expect(crashes.length).toBeGreaterThan(15)

    for (const [number, { folder, now }] of crashes.entries()) {
      if (number % parts !== part) {
        rmSync(folder, { recursive: true })
        continue
      }
      keys.clear()
      const again = await startTestApp({ folder, clock: createFakeClock(now), ids: it.ids, overrides: { outbound } })
      await resume(again, startedAt)
      const end = await endOf(again, flow)
      // A request that was answered before the kill is not made again.
      expect([number, { ...end, requests: Math.max(end.requests, 1) }]).toEqual([number, expected])
      await again.stop()
      rmSync(folder, { recursive: true })
    }
  },
  110_000,
)

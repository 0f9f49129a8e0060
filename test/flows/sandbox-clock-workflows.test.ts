import { expect, test } from "bun:test"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import type { TestApp } from "../harness/app.ts"
import { manualSandbox, turn } from "../harness/manual-clock.ts"
import { createWorkflow, inRow, steps, type TestWorkflow, traces } from "../harness/workflows.ts"

const { mail, delay, wait, webhook } = steps

async function track(it: TestApp, event: string, email = "ada@example.com") {
  expect((await it.api("POST /v1/track", { body: { event, email, subscribed: true } })).status).toBe(200)
}

interface Happened {
  readonly at: string
  readonly what: string
  readonly name?: string
  readonly subject?: string
  readonly status?: string
}

/** The steps, mails and ends that a turn lists, as `what at hours after`. */
const told = ({ happened }: { happened: readonly Happened[] }, begun: number): string[] =>
  happened
    .filter(({ what }) => what !== "event" && what !== "job")
    .map(({ at, what, ...rest }) => {
      const label = rest.name ?? rest.subject ?? rest.status
      return `${what === "step" ? "" : `${what} `}${label} at ${(Date.parse(at) - begun) / hour}`
    })

const drip = (it: TestApp): Promise<TestWorkflow> =>
  createWorkflow(
    it,
    "signup",
    inRow(mail("R0"), delay(3, "days"), mail("R3"), delay(7, "days"), mail("R10"), delay(20, "days"), mail("R30")),
  )

test("a drip of 30 days is walked through in one turn, each mail at its time", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  const flow = await drip(it)
  await track(it, "signup")
  const answer = await turn(it, "30d")
  expect(told(answer, begun)).toEqual([
    "Trigger at 0",
    "R0 at 0",
    "D at 0",
    "email R0 at 0",
    "R3 at 72",
    "D at 72",
    "email R3 at 72",
    "R10 at 240",
    "D at 240",
    "email R10 at 240",
    "R30 at 720",
    "execution COMPLETED at 720",
    "email R30 at 720",
  ])
  expect([answer.steps, answer.emails]).toEqual([8, 4])
  expect(await traces(it, flow)).toEqual(["T R0 D R3 D R10 D R30; COMPLETED"])
})

test("a turn that ends between two steps leaves the execution resting, and the next goes on there", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await drip(it)
  await track(it, "signup")
  expect((await turn(it, "71h")).emails).toBe(1)
  expect(told(await turn(it, "1h"), begun)).toEqual(["R3 at 72", "D at 72", "email R3 at 72"])
})

test("contacts that began hours apart get their mails in the order of their times", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await drip(it)
  for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
    await track(it, "signup", email)
    await turn(it, "1h")
  }
  const { happened } = await turn(it, "10d")
  const mails = happened.filter(({ what }: Happened) => what === "email")
  expect(mails.map(({ at, to }: { at: string; to: string }) => [(Date.parse(at) - begun) / hour, to])).toEqual([
    [72, "a@example.com"],
    [73, "b@example.com"],
    [74, "c@example.com"],
    [240, "a@example.com"],
    [241, "b@example.com"],
    [242, "c@example.com"],
  ])
})

test("a wait ends at its time, and a workflow that its mail's event starts begins at that time", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await createWorkflow(it, "cart", wait("order", 24 * 60, { timeout: mail("Reminder") }))
  await createWorkflow(it, "email.sent", inRow(delay(1, "hours"), mail("Later")))
  await track(it, "cart")
  const answer = await turn(it, "1d")
  expect(told(answer, begun)).toContain("Reminder at 24")
  expect(told(await turn(it, "1h"), begun)).toContain("email Later at 25")
})

test("a request that fails is repeated at its times, and the step after it comes when it is answered", async () => {
  const asked: number[] = []
  const it: TestApp = await manualSandbox({
    settings: { "webhooks.retry_seconds": "60,600" },
    overrides: {
      outbound: async () => {
        asked.push(Date.parse((await it.api("GET /sandbox/clock")).body.now))
        return {
          outcome: "answered",
          status: asked.length < 3 ? 500 : 200,
          headers: {},
          body: new Uint8Array(),
        }
      },
    },
  })
  const begun = it.clock.now()
  await createWorkflow(
    it,
    "order",
    inRow(delay(2, "days"), webhook({ url: "https://crm.example.com/" }), mail("Thanks")),
  )
  await track(it, "order")
  const answer = await turn(it, "3d")
  expect(asked.map((at = 0) => (at - begun - 2 * day) / minute)).toEqual([0, 1, 11])
  expect(told(answer, begun + 2 * day)).toContain(`email Thanks at ${11 / 60}`)
})

test("hundreds of executions that are due at the same time are all done before the clock goes on", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  const flow = await createWorkflow(it, "import", inRow(delay(1, "days"), delay(1, "days")))
  const many = 500
  for (let index = 0; index < many; index++) await track(it, "import", `c${index}@example.com`)
  const { steps: started, happened, omitted } = await turn(it, "2d")
  expect([started, happened.length, omitted > 0]).toEqual([3 * many, 200, true])
  const { body } = await it.api(`GET /workflows/${flow.id}/executions?pageSize=100`)
  expect([
    body.total,
    new Set(body.data.map(({ completedAt }: { completedAt: string }) => Date.parse(completedAt))),
  ]).toEqual([many, new Set([begun + 2 * day])])
})

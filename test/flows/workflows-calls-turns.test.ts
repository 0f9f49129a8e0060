import { afterAll, afterEach, beforeEach, expect, test } from "bun:test"
import { and, eq } from "drizzle-orm"
import { executionTable } from "../../src/modules/workflows/table.ts"
import { apiClient } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { until } from "../harness/store.ts"
import { createWorkflow, inRow, steps, traces } from "../harness/workflows.ts"

/** Executions take turns with those of other projects, and the requests of WEBHOOK steps with those and with steps. */

const hook = { paths: [] as string[], onRequest: async () => {} }
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    hook.paths.push(new URL(request.url).pathname)
    await hook.onRequest()
    return new Response("ok")
  },
})

let it: TestApp
beforeEach(async () => {
  hook.paths = []
  it = await startTestApp({ settings: { "webhooks.allow": "127.0.0.1" } })
})
afterEach(() => it.close())
afterAll(() => server.stop(true))

/** The app as another project sees it. */
async function newProject(): Promise<TestApp> {
  const project = await it.app.projects.create("Other")
  return { ...it, project, api: apiClient((request) => it.app.fetch(request, "127.0.0.1"), project) }
}

/** Makes a request for each of some contacts due in a project; its path is that of the project. */
async function call(of: TestApp, contacts: number): Promise<string> {
  const path = `/${of.project.id}`
  await createWorkflow(of, "call", steps.webhook({ url: `http://127.0.0.1:${server.port}${path}` }))
  await track(of, "call", contacts)
  return path
}

async function track(of: TestApp, event: string, contacts: number): Promise<void> {
  for (let contact = 0; contact < contacts; contact++)
    await of.api("POST /v1/track", { body: { event, email: `k${contact}@example.com` } })
}

const loop = () => it.app.modules.find(({ name }) => name === "workflows")?.worker?.loop

test("eight projects with more slow requests than they may make at a time leave the next one its turn", async () => {
  const answers: (() => void)[] = []
  hook.onRequest = () => new Promise((answer) => answers.push(answer))
  for (let project = 0; project < 8; project++) await call(await newProject(), 33)
  const last = await call(await newProject(), 1)
  await it.app.bus.drain()
  loop()?.start()
  await until(() => hook.paths.length >= 128)
  for (const answer of answers.slice(0, 8)) answer()
  await until(() => hook.paths.length >= 136)
  expect(hook.paths.slice(0, 136)).toContain(last)
  hook.onRequest = async () => {}
  for (const answer of answers) answer()
})

test("a step with more slow requests than its project may make at a time leaves the next one its turn (contract B5.8.7)", async () => {
  const answers: (() => void)[] = []
  hook.onRequest = () => new Promise((answer) => answers.push(answer))
  const slow = await call(it, 40)
  it.clock.advance(1)
  const url = `http://127.0.0.1:${server.port}/quick`
  await createWorkflow(it, "other", steps.webhook({ url }))
  await track(it, "other", 3)
  await it.app.bus.drain()
  loop()?.start()
  await until(() => hook.paths.length >= 16)
  for (const answer of answers.slice(0, 3)) answer()
  await until(() => hook.paths.length >= 19)
  // Some may have been among the first 16: not all of the others are claimed in one step.
  expect(hook.paths.slice(0, 19).toSorted()).toEqual([...Array(16).fill(slow), ...Array(3).fill("/quick")].toSorted())
  hook.onRequest = async () => {}
  for (const answer of answers) answer()
})

test("what is due in a project waits neither for all that was due in another before it, nor does its request", async () => {
  const updates = ["a", "b", "c", "d"].map((key) => steps.update({ updates: { [key]: "1" } }))
  const [first, ...rest] = updates
  const many = await createWorkflow(it, "many", first && inRow(first, ...rest))
  await track(it, "many", 800)
  await it.app.bus.drain()
  it.clock.advance(1)
  await call(await newProject(), 1)
  await it.app.bus.drain()
  const left = Promise.withResolvers<number>()
  const active = eq(executionTable.workflowId, many.id)
  hook.onRequest = async () =>
    left.resolve(await it.app.store.read.$count(executionTable, and(active, eq(executionTable.status, "RUNNING"))))
  loop()?.start()
  // Fewer than two hundred were listed with it, or before it was there.
  expect(await left.promise).toBeGreaterThan(500)
  await it.settle()
  expect(new Set(await traces(it, many))).toEqual(new Set(["T U U U U; COMPLETED"]))
})

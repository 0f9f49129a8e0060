import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { executionEnded, executionTable } from "../../src/modules/workflows/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, newScenario, steps, type TestWorkflow } from "../harness/workflows.ts"

let it: TestApp
let ended: { executionId: string; status: string; exitReason: string | null }[] = []
beforeAll(async () => {
  it = await startTestApp()
  it.app.bus.watch(executionEnded, ({ payload }) => ended.push(payload))
})
beforeEach(() => {
  ended = []
})
afterAll(() => it.close())

/** A workflow in which contacts rest on its only step. */
async function resting(contacts: number) {
  const run = await newScenario(it)
  const flow = await run.start(steps.delay(1, "days"))
  for (let n = 0; n < contacts; n++) await run.track("s", { of: await run.contact({}) })
  return flow
}

/** What is told of the executions of a workflow, as they are stored; sorted by their ids. */
async function stored({ id }: TestWorkflow) {
  const { body } = await it.api(`GET /workflows/${id}/executions`)
  return body.data
    .map((one: Record<string, unknown>) => ({
      executionId: one.id,
      workflowId: id,
      contactId: one.contactId,
      status: one.status,
      exitReason: one.exitReason,
    }))
    .toSorted(byId)
}

const byId = (a: { executionId: string }, b: { executionId: string }) => (a.executionId < b.executionId ? -1 : 1)

describe("The end of an execution is told, as the feed of activity has it (contract B7.1.5)", () => {
  test.each([
    ["cancelled", "CANCELLED", (path: string, id: string) => it.api(`DELETE ${path}/executions/${id}`)],
    ["cancelled", "CANCELLED", (path: string) => it.api(`POST ${path}/executions/cancel-all`)],
    ["step_removed", "EXITED", publishWithoutRest],
    [
      "project_disabled",
      "CANCELLED",
      async () => {
        await it.app.projects.setDisabled(it.project.id, "MANUAL")
        await it.app.projects.setDisabled(it.project.id, null)
      },
    ],
  ] as const)("%s", async (exitReason, status, end) => {
    const flow = await resting(1)
    const [execution] = await stored(flow)
    await end(`/workflows/${flow.id}`, execution.executionId)
    expect(ended).toEqual([{ ...execution, status, exitReason }])
    expect(await stored(flow)).toEqual(ended)
  })

  test("once for each of many", async () => {
    const flow = await resting(3)
    await it.api(`POST /workflows/${flow.id}/executions/cancel-all`)
    await it.api(`POST /workflows/${flow.id}/executions/cancel-all`)
    expect(ended.toSorted(byId)).toEqual(await stored(flow))
    expect(ended).toHaveLength(3)
  })
})

/** Publishes the graph without the step that contacts rest on. */
async function publishWithoutRest(path: string): Promise<void> {
  const { steps } = (await it.api(`GET ${path}`)).body
  const trigger = steps.filter(({ type }: { type: string }) => type === "TRIGGER")
  const draft = await it.api(`PUT ${path}/draft`, { body: { steps: trigger, transitions: [] } })
  const { status } = await it.api(`POST ${path}/publish`, { body: { version: draft.body.version } })
  expect(status).toBe(200)
}

test("more than two units end go with a project that is enabled again at once, and none that starts since (contract B5.6.9)", async () => {
  const other = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  try {
    const flow = await createWorkflow(other, "s", steps.delay(1, "days"))
    const track = (n: number) => other.api("POST /v1/track", { body: { event: "s", email: `k${n}@example.com` } })
    for (const first of [0, 1_005]) await Promise.all(Array.from({ length: 1_005 }, (_, n) => track(first + n)))
    await other.settle()
    await other.app.projects.setDisabled(other.project.id, "MANUAL")
    await other.app.projects.setDisabled(other.project.id, null)
    await track(2_010)
    await other.settle()
    const count = async (status: string) =>
      (await other.api(`GET /workflows/${flow.id}/executions?pageSize=1&status=${status}`)).body.total
    expect([await count("CANCELLED"), await count("WAITING")]).toEqual([2_010, 1])
  } finally {
    await other.close()
  }
})

test("the executions of a deleted workflow go in units that their steps keep short", async () => {
  const { start, track, contact } = await newScenario(it)
  const flow = await start(undefined)
  for (let made = 0; made < 8; made++) await track("s", { of: await contact({}) })
  const ofFlow = eq(executionTable.workflowId, flow.id)
  const left = () => it.app.store.read.$count(executionTable, ofFlow)
  await it.app.store.write(it.project.id, async ({ db }) => {
    await db.update(executionTable).set({ steps: 1_000 }).where(ofFlow)
  })
  expect((await it.api(`DELETE /workflows/${flow.id}`)).status).toBe(204)
  expect(await left()).toBe(3)
  await it.settle()
  expect(await left()).toBe(0)
})

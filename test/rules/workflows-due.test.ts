import { afterAll, beforeAll, expect, test } from "bun:test"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { listDue } from "../../src/modules/workflows/engine/due-store.ts"
import { insertExecution, postponeExecution } from "../../src/modules/workflows/engine/store.ts"
import { createWorker, type WorkerDeps } from "../../src/modules/workflows/engine/worker.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { recordingLog } from "../harness/store.ts"

/** An execution is due in each of many projects. */
const projects = 120

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  for (let n = 0; n < projects; n++) await addDue((await it.app.projects.create("Acme")).id)
})
afterAll(() => it.close())

async function addDue(projectId: string): Promise<void> {
  const [id, contactId, workflowId] = [it.ids.next(), it.ids.next(), it.ids.next()]
  await it.app.store.write(projectId, async (unit) => {
    const times = { createdAt: unit.now, updatedAt: unit.now }
    const contact = { id: contactId, projectId, email: "ada@example.com", subscribed: true, data: {}, ...times }
    await unit.db.insert(contactTable).values(contact)
    const place = {
      status: "RUNNING",
      currentStepId: null,
      steps: 0,
      dueAt: unit.now,
      waitsFor: null,
      waitsAfter: null,
    } as const
    const rest = { context: {}, eventId: null, exitReason: null, startedAt: unit.now, completedAt: null }
    await insertExecution(unit, { id, workflowId, projectId, contactId, ...place, ...rest, ...times })
  })
}

test("others are served while it is found out what is due in many projects", async () => {
  let isOver = false
  const times = { now: it.clock.now(), seenUntil: Number.MAX_SAFE_INTEGER }
  const listing = listDue(it.app.store.read, times, 100).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await yieldToEventLoop()
  expect(turns).toBeGreaterThanOrEqual(projects)
  expect(await listing).toHaveLength(projects)
})

test("templates are compiled for no more executions than one unit can move, however many are due", async () => {
  const compiled: number[] = []
  const deps = {
    store: it.app.store,
    bus: it.app.bus,
    clock: it.clock,
    log: recordingLog().log,
    calls: { drain: async () => 0 },
    newEngineUnit: (unit: unknown) => unit,
    advance: { advance: (unit: never, { id }: { id: string }) => postponeExecution(unit, id, it.clock.now() + 1) },
    warmUp: async (_: unknown, executions: readonly unknown[]) => {
      compiled.push(executions.length)
      return new Set()
    },
  }
  expect(await createWorker(deps as unknown as WorkerDeps).drain()).toBe(projects)
  expect(Math.max(...compiled)).toBe(100)
})

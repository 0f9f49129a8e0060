import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { stepExecutionTable } from "../../src/modules/workflows/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { newScenario, steps } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test("an execution with many long answers of webhooks has the newest of them whole (contract B5.2.14)", async () => {
  const { start, track } = await newScenario(it)
  const flow = await start(steps.delay(1, "days"))
  await track("s")
  const [{ id }] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data
  const path = `GET /workflows/${flow.id}/executions/${id}`
  const answer = (attempts: number) => ({
    url: "https://crm.example.com/",
    method: "POST",
    statusCode: attempts === 1 ? 503 : 200,
    success: attempts !== 1,
    response: "x".repeat(60_000),
    attempts,
  })
  await it.app.store.write(it.project.id, async ({ db }) => {
    const [rest] = await db.select().from(stepExecutionTable).where(eq(stepExecutionTable.name, "D"))
    if (rest === undefined) throw new Error("It does not rest.")
    for (let at = 1; at <= 100; at++) {
      const [newId, startedAt] = [it.ids.next(), rest.startedAt + at]
      const row = { ...rest, id: newId, startedAt, completedAt: startedAt, status: "COMPLETED" as const }
      await db.insert(stepExecutionTable).values({ ...row, output: answer(at) })
    }
  })
  const { body } = await it.api(path)
  expect(JSON.stringify(body).length).toBeLessThan(1_100_000)
  const outputs = body.stepExecutions.map(({ output }: { output: object | null }) => output)
  expect([outputs.length, outputs[0], outputs[1]]).toEqual([102, { eventId: expect.anything() }, null])
  expect(outputs[2]).toEqual({ statusCode: 503, success: false, attempts: 1, omitted: true })
  expect(outputs.slice(-16)).toEqual(Array.from({ length: 16 }, (_, at) => answer(85 + at)))
  expect(outputs.at(-17)).toEqual({ statusCode: 200, success: true, attempts: 84, omitted: true })
})

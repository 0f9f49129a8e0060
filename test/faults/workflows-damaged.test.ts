import { afterAll, beforeAll, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { inRow, newScenario, steps, traces } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const minute = 60_000

test.each([
  ["contact", "contact", "data", "id"],
  ["context", "workflow_execution", "context", "contact_id"],
])("an execution whose %s cannot be read delays no other, and goes on when it can", async (_, table, column, key) => {
  it.complaints.length = 0
  const { start, track, at, contact, K } = await newScenario(it)
  const flow = await start(inRow(steps.delay(1, "hours"), steps.mail("R")))
  await track("s", { of: await contact({}) })
  await track("s")
  await track("s", { of: await contact({}) })
  const damage = (text: string) =>
    it.app.store.write(it.project.id, async (unit) => {
      const where = sql`${sql.identifier(key)} = ${idValue(K.id)}`
      await unit.db.run(sql`UPDATE ${sql.identifier(table)} SET ${sql.identifier(column)} = ${text} WHERE ${where}`)
    })
  await damage('{"plan":')
  await at(60 * minute)
  expect(it.complaints.map(({ message }) => message)).toEqual([
    "An execution could not be moved on and will be tried again",
  ])
  await damage("{}")
  const [first, broken, third] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data.toReversed()
  expect([first.status, broken.status, third.status]).toEqual(["COMPLETED", "WAITING", "COMPLETED"])
  expect(it.complaints[0]?.fields.execution).toBe(broken.id)
  await at(61 * minute)
  expect(await traces(it, flow)).toEqual(Array(3).fill("T D R; COMPLETED"))
})

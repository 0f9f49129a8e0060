import { afterAll, beforeAll, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { inRow, newScenario, steps, ways } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const minute = 60_000

test("an execution whose contact cannot be read delays no other, and goes on when it can", async () => {
  const { start, track, at, contact, K } = await newScenario(it)
  const flow = await start(inRow(steps.delay(1, "hours"), steps.mail("R")))
  await track("s", { of: await contact({}) })
  await track("s")
  await track("s", { of: await contact({}) })
  const damage = (data: string) =>
    it.app.store.write(it.project.id, async (unit) => {
      await unit.db.run(sql`UPDATE contact SET data = ${data} WHERE id = ${idValue(K.id)}`)
    })
  await damage('{"plan":')
  await at(60 * minute)
  const [first, broken, third] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data.toReversed()
  expect([first.status, broken.status, third.status]).toEqual(["COMPLETED", "WAITING", "COMPLETED"])
  expect(it.complaints.map(({ message, fields }) => [message, fields.execution])).toEqual([
    ["An execution could not be moved on and will be tried again", broken.id],
  ])
  await damage("{}")
  await at(61 * minute)
  expect(await ways(it, flow)).toEqual(Array(3).fill("T D R; COMPLETED"))
})

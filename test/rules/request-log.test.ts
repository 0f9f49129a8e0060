import { afterAll, beforeAll, expect, test } from "bun:test"
import { asc } from "drizzle-orm"
import { type LoggedRequest, requestTable } from "../../src/modules/requests/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** What is stored of requests that are recorded before they are written. */
async function stored(requests: readonly LoggedRequest[]): Promise<LoggedRequest[]> {
  await it.app.store.write("instance", async (unit) => void (await unit.db.delete(requestTable)))
  for (const request of requests) it.app.requests.record(request)
  await it.settle()
  const rows = await it.app.store.read.select().from(requestTable).orderBy(asc(requestTable.id))
  return rows.map(({ id: _, ...request }) => request)
}

const at = Date.UTC(2026, 0, 31)
const request = (part: Partial<LoggedRequest> = {}): LoggedRequest => ({
  projectId: it.project.id,
  at,
  method: "POST",
  route: "/v1/track",
  status: 200,
  duration: 1_234,
  key: "public",
  ...part,
})

test("requests are stored as they were, in the order of arrival", async () => {
  const requests = [
    request(),
    request({ at: at + 1, duration: 0 }),
    request({ projectId: null, key: "none", status: 401, route: "/emails" }),
    request({ at: at + 2_047, method: "GET", key: "secret" }),
    // A batch ends with two seconds, and when the clock is set back.
    request({ at: at + 2_048, duration: 1 }),
    request({ at: at + 90_000_000 }),
    request({ at: at - 5_000, key: "session" }),
    request({ at: at - 5_000, duration: 2 ** 32 - 1 }),
  ]
  expect(await stored(requests)).toEqual(requests)
})

test("more requests than are written at once, and more routes than fit into a batch, are all stored", async () => {
  const requests = Array.from({ length: 2_600 }, (_, n) => request({ route: `/r${n % 1_300}`, duration: n }))
  expect(await stored(requests)).toEqual(requests)
})

test("a duration of more than 71 minutes is stored as that", async () => {
  expect((await stored([request({ duration: 2 ** 40 })]))[0]?.duration).toBe(2 ** 32 - 1)
})

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { bulkOf, startBulk } from "../harness/bulk.ts"
import { seedContacts } from "../harness/contacts.ts"
import { importOf, upload } from "../harness/imports.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"

/** Few contacts for one unit of work, but a unit with all of their data would hold up the server for a second. */
const count = 100
let it: TestApp
let contactIds: string[]
beforeEach(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  const long = "x".repeat(200_000)
  await it.api("POST /contacts", { body: { email: "first@example.com", data: { plan: "pro" } } })
  contactIds = (await seedContacts(it, count, () => ({ data: { long, plan: "pro" } }))).map(({ id }) => id)
})
afterEach(() => it.close())

/** How much of a job is done when the first requests after its start see some of it. */
async function firstDone(doneOf: () => Promise<number>): Promise<number> {
  let done = 0
  const { over } = await runJobsUntil(it, async () => {
    done = await doneOf()
    return done > 0
  })
  await over
  return done
}

describe("Others can work in between the changes of contacts with long data", () => {
  test("by an import", async () => {
    const rows = Array.from({ length: count }, (_, at) => `seeded${at}@example.com,free`)
    const jobId = await upload(it, `email,plan\n${rows.join("\n")}\n`)
    const done = async () => (await importOf(it, jobId)).updated
    expect(await firstDone(done)).toBeLessThan(count / 2)
    expect(await done()).toBe(count)
  })

  test.each([
    ["by ids", () => ({ contactIds })],
    ["by query", () => ({ mode: "query", filter: {} })],
    ["by a text that few addresses have", () => ({ mode: "query", filter: { search: "seeded" } })],
    ["by a text in values", () => ({ mode: "query", filter: { find: "pro" } })],
  ])("by a bulk job %s", async (_, selection) => {
    const jobId = await startBulk(it, "unsubscribe", selection())
    const done = async () => (await bulkOf(it, jobId)).succeeded
    expect(await firstDone(done)).toBeLessThan(count / 2)
    expect(await done()).toBeGreaterThanOrEqual(count)
  })

  test("by the deletion of a field", async () => {
    let over = false
    const deletion = it.api("DELETE /contacts/fields/plan").finally(() => {
      over = true
    })
    let served = 0
    for (; !over; served++) await it.api("POST /v1/track", { body: { email: `busy${served}@example.com`, event: "e" } })
    expect((await deletion).body).toEqual({ deletedFrom: count + 1 })
    expect(served).toBeGreaterThan(10)
  })
})

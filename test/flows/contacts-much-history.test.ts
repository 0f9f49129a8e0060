import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { bulkOf, startBulk } from "../harness/bulk.ts"
import { seedContacts } from "../harness/contacts.ts"
import { seedEvents } from "../harness/events.ts"
import { accept } from "../harness/mails.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"

/** Far more than one unit of work deletes. */
const [eventCount, mailCount] = [4_000, 1_000]
let it: TestApp
let id: string
beforeEach(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  const [contact] = await seedContacts(it, 1, () => ({}))
  id = contact?.id ?? ""
  await seedEvents(it, eventCount, () => ({ contactId: id }))
  await accept(it, {}, ...new Array<string>(mailCount).fill(contact?.email ?? ""))
})
afterEach(() => it.close())

describe("Others can work while a contact with much history is deleted", () => {
  test("by a request", async () => {
    let over = false
    const deletion = it.api(`DELETE /contacts/${id}`).finally(() => {
      over = true
    })
    let served = 0
    for (; !over; served++) await it.api("POST /v1/track", { body: { email: "busy@example.com", event: "e" } })
    expect((await deletion).status).toBe(204)
    expect(served).toBeGreaterThan(10)
    expect(await countEffects(it)).toMatchObject({ events: { e: served }, mails: 0, contacts: 1 })
  })

  test("by a bulk job, which leaves alone whom it has not selected", async () => {
    const [other] = await seedContacts(it, 1, () => ({ email: "stays@example.com" }))
    await seedEvents(it, 500, () => ({ contactId: other?.id ?? "", name: "kept" }))
    const jobId = await startBulk(it, "delete", { mode: "query", filter: {}, excludeIds: [other?.id] })
    let left = eventCount
    const { over } = await runJobsUntil(it, async () => {
      left = (await it.api(`GET /events/contact/${id}`)).body.total
      return left !== eventCount
    })
    expect(left).toBeGreaterThan(0)
    await over
    expect(await bulkOf(it, jobId)).toMatchObject({ succeeded: 1, failed: 0 })
    expect(await countEffects(it)).toMatchObject({ events: { kept: 500 }, mails: 0, contacts: 1 })
  })
})

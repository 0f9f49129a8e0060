import { describe, expect, test } from "bun:test"
import { asc, eq } from "drizzle-orm"
import { hour } from "../../src/kernel/clock.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { bulkOf, runBulk, startBulk } from "../harness/bulk.ts"
import { seedContacts } from "../harness/contacts.ts"
import { addContact } from "../harness/imports.ts"
import { countEffects, gained, storedEvents } from "../harness/scenarios.ts"

/** Ada and Bo are subscribed, Cy and Di are not; Eve is subscribed in another project. */
async function people() {
  const it = await startTestApp()
  const ada = await addContact(it, "ada@example.com", { plan: "pro" })
  const bo = await addContact(it, "bo@example.org")
  const cy = await addContact(it, "cy@example.com", {}, false)
  const di = await addContact(it, "di@example.org", {}, false)
  const other = await it.app.projects.create("Other")
  const body = { email: "eve@example.com", event: "e" }
  const eve: string = (await it.api("POST /v1/track", { key: other.publicKey, body })).body.data.contact
  await it.clock.advance(1_000)
  return { it, ada, bo, cy, di, eve }
}

/** Runs a job; resolves to its counts and effects. */
async function outcomeOf(it: TestApp, operation: "subscribe" | "unsubscribe" | "delete", body: object) {
  const before = await countEffects(it)
  const job = await runBulk(it, operation, body)
  const { total, processed, succeeded, failed } = job
  const { events, mails } = gained(before, await countEffects(it))
  expect([job.status, job.progress, job.operation, mails]).toEqual(["completed", 100, operation, 0])
  expect(job.finishedAt).toBe("2026-01-31T09:15:01.000Z")
  return { counts: [total, processed, succeeded, failed], errors: job.errors, events }
}

const subscribers = async (it: TestApp): Promise<string[]> =>
  (
    await it.app.store.read
      .select()
      .from(contactTable)
      .where(eq(contactTable.subscribed, true))
      .orderBy(asc(contactTable.email))
  ).map(({ email }) => email.replace(/@.*/, ""))

const everybody = async (it: TestApp): Promise<string[]> =>
  (await it.app.store.read.select().from(contactTable).orderBy(asc(contactTable.email))).map(({ email }) =>
    email.replace(/@.*/, ""),
  )

const unknownId = "0199c0de-0000-7000-8000-00000000beef"

describe("by ids", () => {
  test("changes contacts in the other state, with an event for each", async () => {
    const { it, ada, cy, di } = await people()
    expect(await outcomeOf(it, "subscribe", { contactIds: [ada, cy, di] })).toEqual({
      counts: [3, 3, 3, 0],
      errors: [],
      events: { "contact.subscribed": 2 },
    })
    expect(await subscribers(it)).toEqual(["ada", "bo", "cy", "di", "eve"])
    await it.close()
  })

  test("records the reason of an unsubscription", async () => {
    const { it, ada, bo, cy } = await people()
    const { counts, events } = await outcomeOf(it, "unsubscribe", { mode: "ids", contactIds: [ada, bo, cy] })
    expect([counts, events]).toEqual([[3, 3, 3, 0], { "contact.unsubscribed": 2 }])
    const told = (await storedEvents(it)).filter(({ name }) => name === "contact.unsubscribed").slice(-2)
    expect(told.map(({ contactId, data }) => [contactId, data])).toEqual([
      [ada, { reason: "bulk" }],
      [bo, { reason: "bulk" }],
    ])
    expect(await subscribers(it)).toEqual(["eve"])
    await it.close()
  })

  test("changes updatedAt only of contacts that change", async () => {
    const { it, ada, cy } = await people()
    await outcomeOf(it, "unsubscribe", { contactIds: [ada, cy] })
    const updatedAt = async (id: string) => (await it.api(`GET /contacts/${id}`)).body.updatedAt
    expect([await updatedAt(ada), await updatedAt(cy)]).toEqual([
      "2026-01-31T09:15:01.000Z",
      "2026-01-31T09:15:00.000Z",
    ])
    await it.close()
  })

  test("deletes contacts with their data", async () => {
    const { it, ada, cy } = await people()
    const { counts, events } = await outcomeOf(it, "delete", { contactIds: [ada, cy] })
    // The events of the contacts went with them.
    expect([counts, events]).toEqual([[2, 2, 2, 0], { added: -2 }])
    expect(await everybody(it)).toEqual(["bo", "di", "eve"])
    expect((await it.api(`GET /contacts/${ada}`)).body.error.code).toBe("CONTACT_NOT_FOUND")
    await it.close()
  })

  test("counts a repeated id once, in any case", async () => {
    const { it, ada } = await people()
    const { counts, events } = await outcomeOf(it, "unsubscribe", { contactIds: [ada, ada.toUpperCase(), ada] })
    expect([counts, events]).toEqual([[1, 1, 1, 0], { "contact.unsubscribed": 1 }])
    await it.close()
  })

  test.each(["subscribe", "unsubscribe", "delete"] as const)(
    "fails for an unknown id and goes on: %s",
    async (operation) => {
      const { it, bo, cy, eve } = await people()
      const { counts, errors } = await outcomeOf(it, operation, { contactIds: [unknownId, bo, eve, cy] })
      expect(counts).toEqual([4, 4, 2, 2])
      expect(errors).toEqual([
        { contactId: eve, reason: "not_found" },
        { contactId: unknownId, reason: "not_found" },
      ])
      expect(await everybody(it)).toContain("eve")
      await it.close()
    },
  )
})

describe("by query", () => {
  test.each([
    ["everyone", {}, ["ada", "bo", "cy", "di"]],
    ["those subscribed", { subscribed: true }, ["ada", "bo"]],
    ["those unsubscribed", { subscribed: false }, ["cy", "di"]],
    ["those whose address has a text", { search: "example.com" }, ["ada", "cy"]],
    ["those whose address has a text in any case and with spaces", { search: "  .ORG " }, ["bo", "di"]],
    ["both", { search: "example.com", subscribed: false }, ["cy"]],
    ["no contact", { search: "%" }, []],
    ["no contact by a character that is a wildcard elsewhere", { search: "d_@" }, []],
    ["no contact by a text that no address can contain", { search: "bücher 💌" }, []],
    ["everyone by a blank search", { search: "  " }, ["ada", "bo", "cy", "di"]],
  ])("deletes %s", async (_, filter, gone) => {
    const { it } = await people()
    const { counts, errors } = await outcomeOf(it, "delete", { mode: "query", filter })
    expect([counts, errors]).toEqual([[gone.length, gone.length, gone.length, 0], []])
    expect(await everybody(it)).toEqual(["ada", "bo", "cy", "di", "eve"].filter((name) => !gone.includes(name)))
    await it.close()
  })

  test("unsubscribes all matches, although they no longer match afterwards", async () => {
    const { it } = await people()
    const { counts, events } = await outcomeOf(it, "unsubscribe", { mode: "query", filter: { subscribed: true } })
    expect([counts, events]).toEqual([[2, 2, 2, 0], { "contact.unsubscribed": 2 }])
    expect(await subscribers(it)).toEqual(["eve"])
    await it.close()
  })

  test("emits nothing for contacts already in the state", async () => {
    const { it } = await people()
    const { counts, events } = await outcomeOf(it, "subscribe", { mode: "query", filter: {} })
    expect([counts, events]).toEqual([[4, 4, 4, 0], { "contact.subscribed": 2 }])
    await it.close()
  })

  test("finds by address and by the values of fields, as the list does (contract A5.17.1)", async () => {
    const { it, ada } = await people()
    const gus = await addContact(it, "gus@pro.example.com")
    await it.clock.advance(0)
    const found = async (find: string) => (await it.api(`GET /contacts?find=${encodeURIComponent(find)}`)).body.total
    expect(await found("PRO")).toBe(2)
    const { counts } = await outcomeOf(it, "unsubscribe", { mode: "query", filter: { find: " PRO " } })
    expect(counts).toEqual([2, 2, 2, 0])
    expect(await subscribers(it)).toEqual(["bo", "eve"])
    const left = await outcomeOf(it, "delete", { mode: "query", filter: { find: "pro" }, excludeIds: [ada] })
    expect(left.counts).toEqual([1, 1, 1, 0])
    expect((await it.api(`GET /contacts/${gus}`)).status).toBe(404)
    await it.close()
  })

  test("leaves alone whose value was changed meanwhile so that the text is gone (contract A5.17.1)", async () => {
    const { it, ada } = await people()
    const jobId = await startBulk(it, "unsubscribe", { mode: "query", filter: { find: "pro" } })
    await it.api(`PATCH /contacts/${ada}`, { body: { data: { plan: "free" } } })
    await it.settle()
    expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: 0, succeeded: 0, failed: 0 })
    await it.close()
  })

  test("excludes the given contacts", async () => {
    const { it, ada, cy, eve } = await people()
    const body = { mode: "query", filter: {}, excludeIds: [ada.toUpperCase(), cy, cy, eve, unknownId] }
    expect((await outcomeOf(it, "delete", body)).counts).toEqual([2, 2, 2, 0])
    expect(await everybody(it)).toEqual(["ada", "cy", "eve"])
    await it.close()
  })

  test("skips contacts that were changed meanwhile and no longer match", async () => {
    const it = await startTestApp()
    const seeded = await seedContacts(it, 1_000, () => ({ subscribed: false }))
    const count = () => it.app.store.read.$count(contactTable)
    await it.clock.advance(1_000)
    const jobId = await startBulk(it, "delete", { mode: "query", filter: { subscribed: false } })
    const over = it.settle()
    while ((await count()) === 1_000) await new Promise(setImmediate)
    const last = `/contacts/${seeded.at(-1)?.id}`
    expect((await it.api(`PATCH ${last}`, { body: { subscribed: true } })).status).toBe(200)
    expect(await count()).toBeGreaterThan(1)
    await over
    expect((await it.api(`GET ${last}`)).body).toMatchObject({ subscribed: true })
    const { status, total, succeeded, failed } = await bulkOf(it, jobId)
    expect([status, total, succeeded, failed]).toEqual(["completed", 999, 999, 0])
    await it.close()
  })

  test("does not include contacts created after the request", async () => {
    const { it } = await people()
    const jobId = await startBulk(it, "delete", { mode: "query", filter: {} })
    await it.clock.advance(1)
    await addContact(it, "late@example.com")
    await it.settle()
    expect((await it.api(`GET /contacts/bulk/${jobId}`)).body).toMatchObject({ total: 4, succeeded: 4 })
    expect(await everybody(it)).toEqual(["eve", "late"])
    await it.close()
  })

  test("includes contacts from before the clock was set back, and none created after the request", async () => {
    const { it } = await people()
    it.clock.jump(-hour)
    const jobId = await startBulk(it, "delete", { mode: "query", filter: {} })
    await addContact(it, "late@example.com")
    await it.settle()
    expect((await it.api(`GET /contacts/bulk/${jobId}`)).body).toMatchObject({ total: 4, succeeded: 4 })
    expect(await everybody(it)).toEqual(["eve", "late"])
    await it.close()
  })
})

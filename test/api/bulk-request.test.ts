import { describe, expect, test } from "bun:test"
import { startTestApp } from "../harness/app.ts"
import { bulkOf, runBulk, startBulk } from "../harness/bulk.ts"
import { type Scenario, scenarios } from "../harness/scenarios.ts"

const idOf = (n: number): string => `0199c0de-0000-7000-8000-${n.toString(16).padStart(12, "f")}`
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => idOf(n))

const refused = (name: string, body: object, fields: Record<string, string>): Scenario => ({
  name,
  body,
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})
const taken = (name: string, body: object): Scenario => ({ name, body, status: 202, answer: { status: "queued" } })

const requests = [
  refused("wants ids", {}, { contactIds: "required" }),
  refused("wants ids, not null", { contactIds: null }, { contactIds: "required" }),
  refused("wants ids with the mode too", { mode: "ids" }, { contactIds: "required" }),
  refused("wants at least one", { contactIds: [] }, { contactIds: "too_small" }),
  refused("wants at most 1,000", { contactIds: ids(1_001) }, { contactIds: "too_big" }),
  refused("wants a list", { contactIds: idOf(1) }, { contactIds: "invalid_type" }),
  refused(
    "names every invalid id",
    { contactIds: [idOf(1), "x", idOf(2), ""] },
    { "contactIds.1": "invalid_string", "contactIds.3": "invalid_string" },
  ),
  refused(
    "wants ids as text",
    { contactIds: [7, null] },
    { "contactIds.0": "invalid_type", "contactIds.1": "invalid_type" },
  ),
  refused("knows two modes", { mode: "all", contactIds: ids(1) }, { mode: "invalid_enum" }),
  refused("knows no mode that is no text", { mode: 1 }, { mode: "invalid_type" }),
  refused("wants a filter for a query", { mode: "query" }, { filter: "required" }),
  refused("wants a filter that is an object", { mode: "query", filter: "all" }, { filter: "invalid_type" }),
  refused(
    "wants a filter of the right shape",
    { mode: "query", filter: { search: 1, subscribed: "true" } },
    { "filter.search": "invalid_type", "filter.subscribed": "invalid_type" },
  ),
  refused(
    "has a longest search",
    { mode: "query", filter: { search: "x".repeat(256) } },
    { "filter.search": "too_big" },
  ),
  refused(
    "has a longest text to find (contract A5.17.1)",
    { mode: "query", filter: { find: "x".repeat(256) } },
    { "filter.find": "too_big" },
  ),
  taken("takes a text to find (contract A5.17.1)", {
    mode: "query",
    filter: { find: "é, or any other", subscribed: true },
  }),
  refused(
    "has a filter whose keys are known: a misspelt one is not everyone (contract A5.17.1)",
    { mode: "query", filter: { serach: "@example.com", subscribed: true } },
    { "filter.serach": "custom" },
  ),
  refused(
    "has a filter with one text: of two, one would not count, and more contacts would be changed (contract A5.17.1)",
    { mode: "query", filter: { search: "@example.com", find: "trial" } },
    { "filter.search": "custom" },
  ),
  refused("excludes at most 10,000", { mode: "query", filter: {}, excludeIds: ids(10_001) }, { excludeIds: "too_big" }),
  refused("excludes ids only", { mode: "query", filter: {}, excludeIds: ["x"] }, { "excludeIds.0": "invalid_string" }),
  taken("takes ids", { contactIds: ids(1) }),
  taken("takes ids with the mode", { mode: "ids", contactIds: ids(1) }),
  taken("takes a mode that is null", { mode: null, contactIds: ids(1) }),
  taken("takes 1,000 ids", { contactIds: ids(1_000) }),
  taken("takes a query", { mode: "query", filter: { search: "@example.com", subscribed: true } }),
  taken("takes a query for everyone", { mode: "query", filter: {} }),
  taken("takes one text beside an empty other", { mode: "query", filter: { search: "@example.com", find: "" } }),
  taken("takes a filter with nulls", { mode: "query", filter: { search: null, subscribed: null }, excludeIds: null }),
  taken("takes 10,000 exclusions and 255 characters", {
    mode: "query",
    filter: { search: "x".repeat(255) },
    excludeIds: ids(10_000),
  }),
  taken("does not look at ids of a query", { mode: "query", filter: {}, contactIds: [] }),
  { name: "refuses a public key", key: "pk", body: { contactIds: ids(1) }, status: 401, code: "INVALID_API_KEY" },
] as const satisfies Scenario[]

scenarios("POST /contacts/bulk-subscribe", requests)
scenarios("POST /contacts/bulk-unsubscribe", requests)
scenarios("POST /contacts/bulk-delete", requests)

describe("a bulk job", () => {
  test("can be read at once, with nothing done yet", async () => {
    const it = await startTestApp()
    const { status, body } = await it.api("POST /contacts/bulk-delete", { body: { contactIds: [...ids(2), idOf(1)] } })
    expect([status, Object.keys(body).sort()]).toEqual([202, ["jobId", "message", "status"]])
    expect(await bulkOf(it, body.jobId)).toEqual({
      jobId: body.jobId,
      status: "queued",
      operation: "delete",
      total: 2,
      processed: 0,
      succeeded: 0,
      failed: 0,
      progress: 0,
      errors: [],
      createdAt: "2026-01-31T09:15:00.000Z",
      finishedAt: null,
    })
    await it.close()
  })

  test("can be read for 30 days, errors included", async () => {
    const it = await startTestApp()
    const { jobId } = await runBulk(it, "subscribe", { contactIds: ids(1) })
    await it.advance({ days: 29, hours: 23 })
    expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", errors: [{ contactId: idOf(0) }] })
    await it.advance({ hours: 3 })
    const { status, body } = await it.api(`GET /contacts/bulk/${jobId}`)
    expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    await it.close()
  })

  test("is not found in another project, nor as an import", async () => {
    const it = await startTestApp()
    const jobId = await startBulk(it, "delete", { contactIds: ids(1) })
    const other = await it.app.projects.create("Other")
    for (const [path, key] of [
      [`/contacts/bulk/${jobId}`, other.secret],
      [`/contacts/import/${jobId}`, "sk"],
      [`/contacts/bulk/${idOf(7)}`, "sk"],
      ["/contacts/bulk/nonsense", "sk"],
    ] as const) {
      const { status, body } = await it.api(`GET ${path}`, { key })
      expect([path, status, body.error.code]).toEqual([path, 404, "RESOURCE_NOT_FOUND"])
    }
    await it.close()
  })
})

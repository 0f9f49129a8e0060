import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { sqliteTable, text } from "drizzle-orm/sqlite-core"
import { uuid } from "../../src/store/columns.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

/** The stored fields of a project. */
const fields = sqliteTable("field", { projectId: uuid("project_id"), key: text("key"), type: text("type") })

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const track = (data: unknown, email = "ada@example.com", key = "pk") =>
  it.api("POST /v1/track", { key, body: { email, event: "e", data } })

async function typeOf(key: string, projectId = it.project.id): Promise<string | undefined> {
  const rows = await it.app.store.read.select().from(fields).where(eq(fields.key, key))
  return rows.find((row) => row.projectId === projectId)?.type ?? undefined
}

let keyCount = 0
const freshKey = (): string => `key${keyCount++}`

test.each<[value: unknown, type: string]>([
  [41, "number"],
  [0, "number"],
  [-0.5, "number"],
  [true, "boolean"],
  [false, "boolean"],
  ["2026-01-31", "date"],
  ["2024-02-29", "date"],
  ["0001-01-01", "date"],
  ["2026-01-31T10:00:00Z", "date"],
  ["2026-01-31T10:00:00.000Z", "date"],
  ["2026-12-31T23:59:59.999Z", "date"],
  ["2026-02-30", "string"],
  ["2025-02-29", "string"],
  ["1900-02-29", "string"],
  ["2026-13-01", "string"],
  ["2026-00-10", "string"],
  ["2026-01-00", "string"],
  ["2026-01-31T24:00:00Z", "string"],
  ["2026-01-31T10:60:00Z", "string"],
  ["2026-01-31T10:00:60Z", "string"],
  ["2026-01-31T10:00:00+01:00", "string"],
  ["2026-01-31T10:00:00", "string"],
  ["2026-01-31T10:00Z", "string"],
  ["2026-01-31T10:00:00.0Z", "string"],
  ["2026-01-31T10:00:00.000000Z", "string"],
  ["2026-01-31t10:00:00z", "string"],
  ["2026-01-31 10:00:00Z", "string"],
  [" 2026-01-31", "string"],
  ["2026-01-31\n", "string"],
  ["2026-1-31", "string"],
  ["20260131", "string"],
  ["41", "string"],
  ["true", "string"],
  ["x", "string"],
  [" ", "string"],
  [{ a: 1 }, "string"],
  [[1, 2], "string"],
  [{ value: 1, persistent: true }, "string"],
])("The first value %j makes a field a %s (contract A2.3)", async (value, type) => {
  const key = freshKey()
  await track({ [key]: value })
  expect(await typeOf(key)).toBe(type)
})

test.each([null, "", { value: 41, persistent: false }])("%j is not stored and gives no type", async (value) => {
  const key = freshKey()
  await track({ [key]: value })
  expect(await typeOf(key)).toBeUndefined()
  await track({ [key]: "2026-01-31" })
  expect(await typeOf(key)).toBe("date")
})

test("Reserved names have no type", async () => {
  await track({ id: 1, email: 2, manageUrl: 3, svc_id: 4 })
  for (const key of ["id", "email", "manageUrl", "svc_id"]) expect(await typeOf(key)).toBeUndefined()
})

test("A type stays, and later values are stored as they are sent", async () => {
  const key = freshKey()
  await track({ [key]: 41 })
  for (const value of ["x", true, "2026-01-31", { a: 1 }, 5]) {
    const { body } = await track({ [key]: value })
    expect((await it.api(`GET /contacts/${body.data.contact}`)).body.data[key]).toEqual(value)
    expect(await typeOf(key)).toBe("number")
  }
})

test("A type remains without values and is the same for every contact", async () => {
  const key = freshKey()
  await track({ [key]: "2026-01-31" })
  await track({ [key]: null })
  await track({ [key]: 5 }, "bo@example.com")
  expect(await typeOf(key)).toBe("date")
})

test("Keys differ by case, and only top-level keys have types", async () => {
  const key = freshKey()
  await track({ [key]: 1, [key.toUpperCase()]: true, outer: { [`inner-${key}`]: 1 } })
  expect([await typeOf(key), await typeOf(key.toUpperCase()), await typeOf(`inner-${key}`)]).toEqual([
    "number",
    "boolean",
    undefined,
  ])
})

test("Another project has its own types", async () => {
  const key = freshKey()
  const other = await it.app.projects.create("Other")
  await track({ [key]: 1 })
  await track({ [key]: true }, "ada@example.com", other.publicKey)
  expect([await typeOf(key), await typeOf(key, other.id)]).toEqual(["number", "boolean"])
})

test("A refused request sets no type", async () => {
  const key = freshKey()
  expect((await track({ [key]: 1, ["k".repeat(256)]: 1 })).status).toBe(422)
  const mail = { to: ["a@example.com"], from: "hi@acme.test", subject: "Hi", body: "{{#if}}", data: { [key]: 1 } }
  expect((await it.api("POST /v1/send", { body: mail })).status).toBe(422)
  expect(await typeOf(key)).toBeUndefined()
})

test("/v1/send sets types too", async () => {
  const key = freshKey()
  await it.api("POST /v1/send", {
    body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi", data: { [key]: false } },
  })
  expect(await typeOf(key)).toBe("boolean")
})

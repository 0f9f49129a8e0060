import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { templateTable } from "../../src/modules/templates/index.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { setVerified } from "../harness/domains.ts"
import { fieldsOf } from "../harness/scenarios.ts"
import { createTemplate } from "../harness/templates.ts"

const full = {
  description: "For newcomers.",
  fromName: "Shop",
  replyTo: "help@example.com",
  type: "TRANSACTIONAL",
}

describe("PATCH /templates/{id} (contract A6.4)", () => {
  let it: TestApp
  let known: Record<string, unknown>
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  const stored = async () => (await it.api(`GET /templates/${known.id}`)).body
  const patch = (body: unknown): Promise<ApiAnswer> => it.api(`PATCH /templates/${known.id}`, { body })
  /** A fresh template, changed a second later. */
  const change = async (body: unknown): Promise<ApiAnswer> => {
    known = await createTemplate(it, full)
    await it.advance({ seconds: 1 })
    return patch(body)
  }

  test.each<[string, object]>([
    ["name", { name: "Farewell" }],
    ["subject", { subject: "Bye {{name ?? friend}}" }],
    ["body", { body: "<p>Bye</p>" }],
    ["from", { from: "bye@acme.test" }],
    ["description", { description: "For leavers.\nTwo lines." }],
    ["description, emptied", { description: "" }],
    ["description, cleared", { description: null }],
    ["fromName", { fromName: "Club" }],
    ["fromName, cleared", { fromName: null }],
    ["replyTo", { replyTo: "club@example.com" }],
    ["replyTo, cleared", { replyTo: null }],
    ["type", { type: "HEADLESS" }],
    ["several fields", { name: "Farewell", subject: "Bye", description: null, type: "MARKETING" }],
  ])("changes %s and nothing else", async (_, body) => {
    const answer = await change(body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...known, ...body, updatedAt: new Date(it.clock.now()).toISOString() })
    expect(await stored()).toEqual(answer.body)
  })

  test("converts addresses to canonical form (contract A1.2.6)", async () => {
    const { body } = await change({ from: " Bye@ACME.test ", replyTo: "Club@Example.com" })
    expect([body.from, body.replyTo]).toEqual(["bye@acme.test", "club@example.com"])
  })

  test.each<[string, unknown]>([
    ["nothing is sent", undefined],
    ["an empty body is sent", {}],
    ["what is there is sent again", { ...full, name: "Welcome", from: "HI@acme.test " }],
    [
      "only the service's own or unknown fields are sent",
      { id: "x", projectId: "y", createdAt: 1, updatedAt: 2, colour: "red" },
    ],
  ])("does not change updatedAt when %s (contract A1.1.6)", async (_, body) => {
    const answer = await change(body)
    expect([answer.status, answer.body]).toEqual([200, known])
    expect(await stored()).toEqual(known)
  })

  test("does not change updatedAt when null is cleared", async () => {
    await change({ description: null, fromName: null, replyTo: null })
    const before = await stored()
    await it.advance({ seconds: 1 })
    expect((await patch({ description: null, fromName: null, replyTo: null })).body).toEqual(before)
  })

  test.each<[string, object, Record<string, string>]>([
    [
      "null for a field that may not be null (contract A1.1.5)",
      { name: null, subject: null, body: null, from: null, type: null },
      {
        name: "invalid_type",
        subject: "invalid_type",
        body: "invalid_type",
        from: "invalid_type",
        type: "invalid_type",
      },
    ],
    [
      "empty fields",
      { name: "", subject: "", body: "", from: "", replyTo: "", type: "" },
      {
        name: "too_small",
        subject: "too_small",
        body: "too_small",
        from: "invalid_string",
        replyTo: "invalid_string",
        type: "invalid_enum",
      },
    ],
    [
      "blank fields",
      { name: " ", subject: "\t", body: " \r\n" },
      { name: "too_small", subject: "too_small", body: "too_small" },
    ],
    [
      "fields of another type",
      { name: 1, subject: true, body: [], from: {}, description: 2, fromName: [], replyTo: 3, type: 4 },
      {
        name: "invalid_type",
        subject: "invalid_type",
        body: "invalid_type",
        from: "invalid_type",
        description: "invalid_type",
        fromName: "invalid_type",
        replyTo: "invalid_type",
        type: "invalid_type",
      },
    ],
    [
      "line breaks in headers",
      { name: "a\nb", subject: "a\r\nb", fromName: "a\rb" },
      {
        name: "invalid_string",
        subject: "invalid_string",
        fromName: "invalid_string",
      },
    ],
    [
      "too much",
      {
        name: "x".repeat(256),
        description: "x".repeat(2_001),
        subject: "x".repeat(999),
        body: "x".repeat(2_000_001),
        fromName: "x".repeat(999),
      },
      { name: "too_big", description: "too_big", subject: "too_big", body: "too_big", fromName: "too_big" },
    ],
    ["an unknown type", { type: "NEWSLETTER" }, { type: "invalid_enum" }],
    ["faults in tags", { subject: "{{a b}}", body: "{{#if}}" }, { subject: "custom", body: "custom" }],
    ["a fault in the only field that is sent", { body: "{{#if}}" }, { body: "custom" }],
  ])("refuses %s, and changes nothing", async (_, body, fields) => {
    const answer = await change({ description: "Changed", ...body })
    expect([answer.status, answer.body.error.code, fieldsOf(answer)]).toEqual([422, "VALIDATION_ERROR", fields])
    expect(await stored()).toEqual(known)
  })

  test("reports the position of a faulty tag (contract A3.5)", async () => {
    const { body } = await change({ body: "<p>\n  {{/if}}</p>" })
    expect(body.error.details).toEqual({ field: "body", line: 2, column: 3 })
  })

  test("refuses a sender whose domain is not verified (contract A6.2)", async () => {
    const answer = await change({ name: "Changed", from: "hi@other.test" })
    expect([answer.status, answer.body.error.code]).toEqual([403, "INTERNAL_SERVER_ERROR"])
    expect(await stored()).toEqual(known)
  })

  test("checks the shape, then the template, then the sender, then the tags (contract A1.6)", async () => {
    await change({})
    const unknown = "PATCH /templates/0199c0de-0000-7000-8000-0000000fffff"
    const all = { type: "X", from: "hi@other.test", body: "{{#if}}" }
    expect((await it.api(unknown, { body: all })).status).toBe(422)
    expect((await it.api(unknown, { body: { ...all, type: "HEADLESS" } })).status).toBe(404)
    expect((await patch({ ...all, type: "HEADLESS" })).status).toBe(403)
    expect((await patch({ type: "HEADLESS", body: "{{#if}}" })).status).toBe(422)
    expect(await stored()).toEqual(known)
  })

  test("keeps a name and a description that are longer than the limit of a request", async () => {
    known = await createTemplate(it)
    const longer = { name: "n".repeat(300), description: "d".repeat(3_000) }
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db
        .update(templateTable)
        .set(longer)
        .where(eq(templateTable.id, String(known.id)))
    })
    expect(await stored()).toMatchObject(longer)
    const answer = await patch({ subject: "Bye" })
    expect([answer.status, answer.body]).toEqual([200, { ...known, ...longer, subject: "Bye" }])
  })

  test("does not validate fields that are not sent", async () => {
    await it.app.domains.add(it.project.id, "late.test", { vouched: true })
    known = await createTemplate(it, { from: "hi@late.test" })
    await setVerified(it, "late.test", false)
    expect((await patch({ name: "Renamed" })).status).toBe(200)
    expect((await patch({ from: "hi@late.test" })).status).toBe(403)
  })

  test("keeps both changes of two requests at once", async () => {
    await change({})
    await Promise.all([patch({ name: "Farewell" }), patch({ subject: "Bye" })])
    expect(await stored()).toMatchObject({ name: "Farewell", subject: "Bye" })
  })
})

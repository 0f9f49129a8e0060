import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { sampleTable } from "../../src/modules/templates/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const data = { firstName: "Ada", order: { lines: [{ name: "Pen", price: 2.5 }], paid: true, note: null } }

const sampleOf = async (id: string) => {
  const { status, body } = await it.api(`GET /templates/${id}/sample`)
  expect(status).toBe(200)
  return body
}
const put = (id: string, body: unknown) => it.api(`PUT /templates/${id}/sample`, { body: body as object })

test("the sample data of a template are stored as sent, replaced and cleared; the template stays (contract A6.8)", async () => {
  const template = await createTemplate(it)
  expect(await sampleOf(template.id)).toEqual({ data: null })
  await it.advance({ hours: 1 })
  for (const sent of [data, { other: 1 }, {}]) {
    const { status, body } = await put(template.id, { data: sent })
    expect([status, body]).toEqual([200, { data: sent }])
    expect(await sampleOf(template.id)).toEqual({ data: sent })
  }
  expect((await it.api(`GET /templates/${template.id}`)).body).toEqual(template)
  for (const cleared of [{ data: null }, {}]) {
    await put(template.id, { data })
    expect((await put(template.id, cleared)).body).toEqual({ data: null })
    expect(await sampleOf(template.id)).toEqual({ data: null })
  }
})

test.each([
  ["a text", { data: "x" }],
  ["a list", { data: [] }],
  ["more levels than data have", { data: JSON.parse(`${'{"a":'.repeat(21)}1${"}".repeat(21)}`) }],
  ["a key that is too long", { data: { ["k".repeat(256)]: 1 } }],
  ["more than 256 KB", { data: { a: "x".repeat(256 * 1024) } }],
])("sample data that are %s are refused, and what is stored stays (contract A2.1.6)", async (_, body) => {
  const { id } = await createTemplate(it)
  await put(id, { data })
  const answer = await put(id, body)
  expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, "data"])
  expect(await sampleOf(id)).toEqual({ data })
})

test("a copy has the sample data of its template, and its own from then on (contract A6.6)", async () => {
  const { id } = await createTemplate(it)
  await put(id, { data })
  const { body: copy } = await it.api(`POST /templates/${id}/duplicate`)
  expect(await sampleOf(copy.id)).toEqual({ data })
  await put(copy.id, { data: { other: 1 } })
  expect(await sampleOf(id)).toEqual({ data })
})

test("the sample data are deleted with the template", async () => {
  const { id } = await createTemplate(it)
  await put(id, { data })
  await it.api(`DELETE /templates/${id}`)
  expect((await it.api(`GET /templates/${id}/sample`)).status).toBe(404)
  expect(await it.app.store.read.$count(sampleTable, eq(sampleTable.templateId, id))).toBe(0)
})

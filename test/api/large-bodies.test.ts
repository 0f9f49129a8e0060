import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isWithin, type ValueLimits } from "../../src/http/json-values.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const most = 400_000
const post = (text: string) => it.api("POST /contacts", { raw: text, headers: { "Content-Type": "application/json" } })
const listOf = (values: number): string => `{"email":"ada@example.com","data":{"list":[${"1,".repeat(values - 1)}1]}}`

describe("a body with very many values (contract A1.2.4)", () => {
  test.each([
    ["numbers", listOf(most)],
    ["lists in lists", "[".repeat(most + 1)],
    ["texts", `{"emails":[${'"",'.repeat(120_000)}""]}`],
    ["objects in objects", '{"k":'.repeat(120_001)],
    ["names", `{${Array.from({ length: 75_002 }, (_, n) => `"${n}":1`).join(",")}}`],
  ])("is refused before it is parsed: %s", async (_, text) => {
    const { status, body } = await post(text)
    expect([status, body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(body.error.message).toContain("400,000 values, 120,000 texts or 75,000 names")
  })

  test("is judged by its levels when it has few values beside them", async () => {
    const { status, body } = await post(
      `{"email":"di@example.com","data":${'{"k":'.repeat(100_000)}1${"}".repeat(100_001)}`,
    )
    expect([status, body.error.errors[0].code]).toEqual([422, "too_big"])
  })

  test("is judged as any other when it has fewer", async () => {
    const { status, body } = await post(listOf(120_000))
    expect([status, body.error?.code]).toEqual([201, undefined])
  })

  test("is not one whose text has all the marks of many", async () => {
    const marks = '[{,:"'.repeat(200_000)
    const { status, body } = await post(JSON.stringify({ email: "bo@example.com", data: { marks } }))
    expect([status, body.error.errors[0].code]).toEqual([422, "too_big"])
  })
})

describe("a body that is parsed on a thread", () => {
  const padded = (end: string) => `{"email":"cy@example.com","ignored":"${"x".repeat(9_000_000)}"${end}`

  test("has the same effect as a smaller one", async () => {
    const { status, body } = await post(padded("}"))
    expect([status, body.email]).toEqual([201, "cy@example.com"])
  })

  test("is refused for the same reasons", async () => {
    const broken = await post(padded(""))
    expect([broken.status, broken.body.error.code]).toEqual([400, "BAD_REQUEST"])
    expect(broken.body.error.message).toStartWith("The body is not valid JSON: ")
    const deep = await post(padded(`,"data":${'{"k":'.repeat(60_000)}1${"}".repeat(60_001)}`))
    expect([deep.status, deep.body.error.errors?.[0].code]).toEqual([422, "too_big"])
    const list = await post(`[${padded("}")}]`)
    expect([list.status, list.body.error.errors[0].code]).toEqual([422, "invalid_type"])
  })
})

/** Values, and names beside one for each list and object, as the parser sees them. */
function countIn(value: unknown): ValueLimits {
  if (typeof value !== "object" || value === null)
    return { values: 1, texts: typeof value === "string" ? 1 : 0, names: 0 }
  const fields = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value)
    .map(countIn)
    .reduce(
      (sum, { values, texts, names }) => ({
        values: sum.values + values,
        texts: sum.texts + texts,
        names: sum.names + names,
      }),
      { values: 1, texts: fields, names: fields - 1 },
    )
}

test("JSON is within the limits of its own values, texts and names, and not within less, but for empty lists and objects", async () => {
  const filled = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("value"), { minLength: 1, maxLength: 5 }),
    object: fc.dictionary(fc.string(), tie("value"), { minKeys: 1, maxKeys: 5 }),
  })).value
  await fc.assert(
    fc.asyncProperty(filled, async (value) => {
      const json = Buffer.from(JSON.stringify(value))
      const { values, texts, names } = countIn(value)
      const limits = { values, texts, names: Math.max(0, names) }
      expect(await isWithin(limits, json)).toBe(true)
      if (values > 1) expect(await isWithin({ ...limits, values: values - 1 }, json)).toBe(false)
      if (texts > 0) expect(await isWithin({ ...limits, texts: texts - 1 }, json)).toBe(false)
      if (names > 0) expect(await isWithin({ ...limits, names: names - 1 }, json)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

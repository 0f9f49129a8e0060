import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  for (let number = 1; number <= 12; number++) {
    const contact = { email: `p${String(number).padStart(2, "0")}@example.com`, data: { n: number } }
    await it.api("POST /contacts", { body: contact })
  }
})
afterAll(() => it.close())

/** Requests a preview, and checks that it changes nothing. */
async function preview(body: unknown) {
  const before = [await countEffects(it), (await it.api("GET /segments")).body] as const
  const answer = await it.api("POST /segments/preview", { body: body as object })
  expect(gained(before[0], await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  expect((await it.api("GET /segments")).body).toEqual(before[1])
  return answer
}

const filter = (field: string, operator: string, value?: unknown) => ({ field, operator, value })
const all = (...filters: object[]) => ({ condition: { logic: "AND", groups: [{ filters }] } })

test("A preview counts the matching contacts, and shows the ten newest", async () => {
  const { status, body } = await preview(all(filter("data.n", "greaterThan", 1)))
  expect(status).toBe(200)
  expect(body.count).toBe(11)
  const emails = body.contacts.map(({ email }: { email: string }) => email)
  expect(emails).toHaveLength(10)
  expect([emails[0], emails[9]]).toEqual(["p12@example.com", "p03@example.com"])
  const stored = await it.api(`GET /contacts/${body.contacts[0].id}`)
  expect(body.contacts[0]).toEqual(stored.body)
})

test("A preview without matches is empty", async () => {
  expect((await preview(all(filter("data.n", "equals", 99)))).body).toEqual({ count: 0, contacts: [] })
})

test("A preview follows the segments that the condition names", async () => {
  const { body: segment } = await it.api("POST /segments", {
    body: { name: "Low", ...all(filter("data.n", "lessThan", 4)) },
  })
  const { body } = await preview(all(filter(`segment.${segment.id}`, "notMemberOfSegment")))
  expect(body.count).toBe(9)
})

test("A preview reports all faults of a condition with their paths", async () => {
  const unknown = "segment.0199c0de-0000-7000-8000-0000000fffff"
  const { status, body } = await preview(
    all(filter("data.n", "near", 1), filter("createdAt", "equals", "soon"), filter(unknown, "memberOfSegment")),
  )
  expect(status).toBe(400)
  expect(body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
    ["condition.groups.0.filters.0.operator", "invalid_enum"],
    ["condition.groups.0.filters.1.value", "invalid_string"],
    ["condition.groups.0.filters.2.field", "custom"],
  ])
})

test.each([[{}], [{ condition: null }], [{ condition: [] }], [{ condition: "x" }]])(
  "A preview without a condition is refused: %j",
  async (body) => {
    const answer = await preview(body)
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors[0].field).toBe("condition")
  },
)

test("A preview needs the secret key", async () => {
  const answer = await it.api("POST /segments/preview", { key: "pk", body: all(filter("data.n", "equals", 1)) })
  expect(answer.status).toBe(401)
})

test.each([
  ["equals", " Info@MÜLLER.example", [true, false]],
  ["notEquals", "info@müller.example", [false, true]],
  ["contains", "@Müller.example", [true, false]],
  ["contains", "müller", [true, false]],
  ["notContains", "müller.example", [false, true]],
  ["contains", "mül", [false, false]],
])("email %s %j compares the domain in the form in which addresses are stored", async (operator, value, expected) => {
  const people = ["info@müller.example", "info@mueller.example"]
  for (const email of people) await it.api("POST /contacts", { body: { email, data: { n: -1 } } })
  const { body } = await preview(all(filter("data.n", "equals", -1), filter("email", operator, value)))
  const found = body.contacts.map(({ email }: { email: string }) => email)
  expect(["info@xn--mller-kva.example", "info@mueller.example"].map((email) => found.includes(email))).toEqual(expected)
})

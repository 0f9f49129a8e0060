import { expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { type Scenario, scenarios } from "../harness/scenarios.ts"

const [ada, bo, cy] = ["ada@example.com", "bo@example.com", "cy@example.com"]
const mail = { from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const track = (it: TestApp, email: string, more: object = {}) =>
  it.api("POST /v1/track", { body: { email, event: "e", ...more } })

const idsIn = ({ body }: ApiAnswer): string[] => body.data.emails.map(({ email }: { email: string }) => email)
const recordsOf = (it: TestApp, answer: ApiAnswer) =>
  Promise.all(idsIn(answer).map(async (id) => (await it.api(`GET /emails/${id}`)).body))

test("POST /v1/send responds like the contract's example, and each recipient gets a separate message (contract A4.3)", async () => {
  const it = await startTestApp()
  const answer = await it.api("POST /v1/send", {
    body: {
      to: [ada, { name: "Bo", email: "Bo@Example.com" }],
      from: { name: "Shop", email: "hi@acme.test" },
      subject: "Order {{no}}",
      body: "<p>Hello {{first ?? there}}</p>",
      data: { no: { value: 991, persistent: false } },
    },
  })
  const { body: contacts } = await it.api("GET /contacts?sort=email&dir=asc")
  expect(contacts.data).toMatchObject([
    { email: ada, subscribed: false, data: {} },
    { email: bo, subscribed: false, data: {} },
  ])
  const [first = "", second = ""] = idsIn(answer)
  expect(first).not.toBe(second)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    success: true,
    data: {
      timestamp: "2026-01-31T09:15:00.000Z",
      emails: [
        { contact: { id: contacts.data[0].id, email: ada }, email: first },
        { contact: { id: contacts.data[1].id, email: bo }, email: second },
      ],
    },
  })
  expect(await recordsOf(it, answer)).toMatchObject([
    { to: ada, toName: null, subject: "Order 991", text: "Hello there", contactId: contacts.data[0].id },
    { to: bo, toName: "Bo", subject: "Order 991", text: "Hello there", contactId: contacts.data[1].id },
  ])

  await it.settle()
  const left = it.sent()
  expect(left.map(({ id, envelope }) => [id, envelope.to]).toSorted()).toEqual([
    [first, ada],
    [second, bo],
  ])
  for (const message of left) {
    const parsed = await simpleParser(Buffer.from(message.mime()))
    const name = message.envelope.to === bo ? "Bo" : ""
    expect(parsed.to).toMatchObject({ value: [{ name, address: message.envelope.to }] })
    expect([parsed.cc, parsed.bcc, parsed.from?.value]).toEqual([
      undefined,
      undefined,
      [{ name: "Shop", address: "hi@acme.test" }],
    ])
    expect(Buffer.from(message.mime()).toString()).not.toContain(message.envelope.to === bo ? ada : bo)
  }
  await it.close()
})

const sends = (
  name: string,
  to: unknown,
  expected: Omit<Scenario, "name" | "status">,
  body: object = {},
): Scenario => ({
  name,
  body: { ...mail, to, ...body },
  status: 200,
  ...expected,
})

scenarios(
  "POST /v1/send: several recipients (contract A4.3.6)",
  [
    sends("each become a contact", [bo, cy], { contacts: 2, mails: 2 }),
    sends("are answered in their order", [cy, ada, bo], {
      mails: 3,
      afterwards: (_, { body }) =>
        expect(body.data.emails.map((one: { contact: { email: string } }) => one.contact.email)).toEqual([cy, ada, bo]),
    }),
    sends(
      "that are the same one get a mail each and are one contact",
      ["twice@example.com", { name: "Twice", email: " TWICE@example.com" }],
      {
        contacts: 1,
        mails: 2,
        afterwards: async (it, answer) => {
          const records = await recordsOf(it, answer)
          expect(records.map(({ to, toName }) => [to, toName])).toEqual([
            ["twice@example.com", null],
            ["twice@example.com", "Twice"],
          ])
          expect(new Set(records.map(({ contactId }) => contactId)).size).toBe(1)
          expect(new Set(records.map(({ id }) => id)).size).toBe(2)
        },
      },
    ),
    sends(
      "have the data of the request, each over its own",
      [ada, "new@example.com"],
      {
        contacts: 1,
        mails: 2,
        afterwards: async (it, answer) => {
          const records = await recordsOf(it, answer)
          expect(records.map(({ subject, text }) => [subject, text])).toEqual([
            [`To ${ada}`, "pro Oslo 7"],
            ["To new@example.com", "pro nowhere 7"],
          ])
          const contacts = records.map(async ({ contactId }) => (await it.api(`GET /contacts/${contactId}`)).body.data)
          expect(await Promise.all(contacts)).toEqual([{ plan: "pro", city: "Oslo" }, { plan: "pro" }])
        },
      },
      {
        subject: "To {{email}}",
        body: "<p>{{plan}} {{city ?? nowhere}} {{no}}</p>",
        data: { plan: "pro", no: { value: 7, persistent: false } },
      },
    ),
    sends(
      "flip where they are subscribed, once each",
      [ada, bo, ada, { email: "born@example.com" }],
      { contacts: 1, mails: 4, events: { "contact.unsubscribed": 1 } },
      { subscribed: false },
    ),
    sends(
      "flip back, all who had left",
      [bo, ada, cy, bo],
      { mails: 4, events: { "contact.subscribed": 3 } },
      { subscribed: true },
    ),
  ],
  { seed: (it) => track(it, ada, { data: { city: "Oslo" } }) },
)

const heavy = "heavy@example.com"
/** Refused for the last recipient only: the ones before are neither created, changed nor mailed. */
const refuses = (name: string, last: unknown, body: object, expected: Omit<Scenario, "name" | "body">): Scenario => ({
  name,
  body: { ...mail, to: [ada, "newcomer@example.com", last], subscribed: false, data: { plan: "pro" }, ...body },
  ...expected,
  afterwards: async (it) => {
    const { body: found } = await it.api(`POST /contacts/lookup`, { body: { emails: ["newcomer@example.com"] } })
    expect(found.found).toEqual([])
    const { body: contacts } = await it.api(`GET /contacts?search=${ada}`)
    expect(contacts.data).toMatchObject([{ subscribed: true, data: { plan: "free" } }])
    await it.settle()
    expect(it.sent()).toEqual([])
  },
})
const invalid = { status: 422, code: "VALIDATION_ERROR" }

scenarios(
  "POST /v1/send: one bad recipient (contract A4.3.6)",
  [
    refuses("is an invalid address", "cy", {}, { ...invalid, fields: { "to.2": "invalid_string" } }),
    refuses("is an object without one", { name: "Cy" }, {}, { ...invalid, fields: { "to.2.email": "required" } }),
    refuses(
      "is one for whom the content cannot be rendered",
      heavy,
      { body: "{{#each list}}{{#each @root.list}}{{#each @root.list}}xxxxxxxxxx{{/each}}{{/each}}{{/each}}" },
      { ...invalid, fields: { body: "custom" } },
    ),
    refuses(
      "is one whose data would be too big",
      heavy,
      { data: { plan: "pro", more: "x".repeat(100_000) } },
      { ...invalid, fields: { data: "too_big" } },
    ),
  ],
  {
    seed: async (it) => {
      await track(it, ada, { data: { plan: "free" } })
      const list = Array.from({ length: 150 }, () => "x")
      await track(it, heavy, { data: { list, text: "x".repeat(200_000) } })
    },
  },
)

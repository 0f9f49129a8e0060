import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { setVerified } from "../harness/domains.ts"
import { countEffects, gained, scenarios } from "../harness/scenarios.ts"
import { countingTemplates, createTemplate, type TemplateRow } from "../harness/templates.ts"

const fields = {
  name: "Receipt",
  subject: "Receipt {{no}}",
  body: "<p>Paid by {{name ?? you}}</p>",
  from: "shop@acme.test",
  fromName: "The Shop",
  replyTo: "help@acme.test",
  type: "TRANSACTIONAL",
}

let it: TestApp
let template: { id: string }
let next = 0
beforeAll(async () => {
  it = await startTestApp()
  template = await createTemplate(it, fields)
})
afterAll(() => it.close())

const someone = () => `to${next++}@example.com`
const request = (body: object): Promise<ApiAnswer> =>
  it.api("POST /v1/send", { body: { to: someone(), template: template.id, ...body } })

/** Sends, and resolves with the record of the message and what left. */
async function sent(body: object) {
  const answer = await request(body)
  expect(answer.status).toBe(200)
  const [{ email: id }] = answer.body.data.emails
  await it.settle()
  const left = it.sent().find((message) => message.id === id)
  return { record: (await it.api(`GET /emails/${id}`)).body, left }
}

async function refused(status: number, code: string, body: object): Promise<ApiAnswer> {
  const before = await countEffects(it)
  const answer = await request(body)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  return answer
}

describe("POST /v1/send by template (contract A4.3)", () => {
  test("uses all fields of the template", async () => {
    const { record, left } = await sent({ data: { no: 991, name: "Ada" } })
    expect(record).toMatchObject({
      templateId: template.id,
      subject: "Receipt 991",
      from: "shop@acme.test",
      fromName: "The Shop",
      replyTo: "help@acme.test",
      type: "TRANSACTIONAL",
      sourceType: "TRANSACTIONAL",
      status: "SENT",
    })
    expect(record.html).toContain("<p>Paid by Ada</p>")
    expect(left).toMatchObject({
      subject: "Receipt 991",
      from: { name: "The Shop", address: "shop@acme.test" },
      replyTo: "help@acme.test",
      text: "Paid by Ada",
    })
  })

  const inherited = {
    subject: "Receipt 1",
    text: "Paid by you",
    from: "shop@acme.test",
    fromName: "The Shop",
    replyTo: "help@acme.test",
  }
  test.each<[string, object, Partial<typeof inherited>]>([
    ["nothing", {}, {}],
    ["null", { subject: null, body: null, from: null, name: null, reply: null }, {}],
    ["the subject", { subject: "Own {{no}}" }, { subject: "Own 1" }],
    ["the body", { body: "<p>Own {{no}}</p>" }, { text: "Own 1" }],
    ["the sender", { from: "own@acme.test" }, { from: "own@acme.test" }],
    [
      "the sender with its name",
      { from: { name: "Own", email: "own@acme.test" } },
      { from: "own@acme.test", fromName: "Own" },
    ],
    ["the sender, whose name it does not say", { from: { email: "own@acme.test" } }, { from: "own@acme.test" }],
    [
      "the sender with a name beside it",
      { from: "own@acme.test", name: "Own" },
      { from: "own@acme.test", fromName: "Own" },
    ],
    ["no sender, so that a name is not read", { name: "Own" }, {}],
    ["the address for replies", { reply: "own@example.com" }, { replyTo: "own@example.com" }],
    ["a Reply-To header, over which the template wins", { headers: { "Reply-To": "own@example.com" } }, {}],
    [
      "all of it",
      { subject: "Own", body: "Own", from: { name: "Own", email: "own@acme.test" }, reply: "own@example.com" },
      {
        subject: "Own",
        text: "Own",
        from: "own@acme.test",
        fromName: "Own",
        replyTo: "own@example.com",
      },
    ],
  ])("lets the request override %s", async (_, overrides, changed) => {
    const { record } = await sent({ data: { no: 1 }, ...overrides })
    const { subject, text, from, fromName, replyTo } = record
    expect({ subject, text: text.trim(), from, fromName, replyTo }).toEqual({ ...inherited, ...changed })
    expect(record).toMatchObject({ templateId: template.id, type: "TRANSACTIONAL" })
  })

  test("falls back to the project's name, and to the Reply-To header, where the template has none", async () => {
    const { id } = await createTemplate(it, { ...fields, fromName: null, replyTo: null })
    const { record } = await sent({ template: id, headers: { "Reply-To": "own@example.com" } })
    expect([record.fromName, record.replyTo]).toEqual(["Acme", "own@example.com"])
    const { record: plain } = await sent({ template: id })
    expect(plain.replyTo).toBeNull()
  })

  test("uses the current template, and does not change earlier mail", async () => {
    const { id } = await createTemplate(it, fields)
    const first = await request({ template: id })
    await it.api(`PATCH /templates/${id}`, { body: { subject: "Changed", body: "<p>Changed</p>", type: "HEADLESS" } })
    await it.settle()
    const { body: before } = await it.api(`GET /emails/${first.body.data.emails[0].email}`)
    expect([before.subject, before.text, before.type]).toEqual(["Receipt", "Paid by you", "TRANSACTIONAL"])
    const { record: after } = await sent({ template: id })
    expect([after.subject, after.text, after.type]).toEqual(["Changed", "Changed", "HEADLESS"])
  })

  test("sends the content of a duplicate", async () => {
    const { body: copy } = await it.api(`POST /templates/${template.id}/duplicate`)
    const { record } = await sent({ template: copy.id })
    expect([record.templateId, record.subject]).toEqual([copy.id, "Receipt"])
  })

  test("renders for each recipient, and lists by template", async () => {
    const { id } = await createTemplate(it, { ...fields, subject: "For {{email}}" })
    const { body } = await request({ template: id, to: ["one@example.com", { name: "Two", email: "two@example.com" }] })
    const { data } = (await it.api(`GET /emails?templateId=${id}`)).body
    expect(data.map(({ subject }: { subject: string }) => subject)).toEqual([
      "For two@example.com",
      "For one@example.com",
    ])
    expect(body.data.emails.map(({ contact }: { contact: { email: string } }) => contact.email)).toEqual([
      "one@example.com",
      "two@example.com",
    ])
  })

  test("refuses a deleted template, and one of another project (contract A4.3.4)", async () => {
    const gone = await createTemplate(it, fields)
    await it.api(`DELETE /templates/${gone.id}`)
    await refused(404, "TEMPLATE_NOT_FOUND", { template: gone.id })
    const other = await it.app.projects.create("Other")
    const answer = await it.api("POST /v1/send", {
      key: other.secret,
      body: { to: "a@example.com", template: template.id },
    })
    expect([answer.status, answer.body.error.code]).toEqual([404, "TEMPLATE_NOT_FOUND"])
  })

  test("requires a verified sender domain, of the template or the request (contract A4.3.3)", async () => {
    await it.app.domains.add(it.project.id, "late.test", { vouched: true })
    const { id } = await createTemplate(it, { ...fields, from: "hi@late.test" })
    await setVerified(it, "late.test", false)
    await refused(403, "INTERNAL_SERVER_ERROR", { template: id })
    await refused(403, "INTERNAL_SERVER_ERROR", { from: "hi@other.test" })
    expect((await sent({ template: id, from: "hi@acme.test" })).record.from).toBe("hi@acme.test")
  })

  test("refuses an override with a fault in it (contract A3.5)", async () => {
    const { body } = await refused(422, "VALIDATION_ERROR", { subject: "Fine", body: "\n{{#if}}" })
    expect(body.error.details).toEqual({ field: "body", line: 2, column: 1 })
  })
})

/** The template that the rows below send by; they are run long after they are written. */
let saved = ""
const markets = (type: string) => async (it: TestApp) => {
  await it.api("POST /v1/track", { body: { email: "in@example.com", event: "e" } })
  await it.api("POST /v1/track", { body: { email: "out@example.com", event: "e", subscribed: false } })
  saved = (await createTemplate(it, { ...fields, type })).id
}
const row = (name: string, body: object, expected: Omit<TemplateRow, "name" | "body">): TemplateRow => ({
  name,
  body: {
    ...body,
    get template() {
      return saved
    },
  },
  ...expected,
})
const tooBad = { status: 400, code: "BAD_REQUEST" }
const flip = { "contact.subscribed": 1 }
const leave = { "contact.unsubscribed": 1 }

scenarios(
  "POST /v1/send: a MARKETING template (contract A4.3.5)",
  countingTemplates([
    row("goes to a subscribed contact", { to: "in@example.com" }, { status: 200, mails: 1 }),
    row("does not go to one who left", { to: "out@example.com" }, tooBad),
    row("does not go to a new contact, who is not stored either", { to: "new@example.com" }, tooBad),
    row(
      "does not go to one whom the request unsubscribes, and who stays",
      { to: "in@example.com", subscribed: false },
      tooBad,
    ),
    row(
      "goes to a new contact who has agreed",
      { to: "agreed@example.com", subscribed: true },
      { status: 200, mails: 1, contacts: 1 },
    ),
    row(
      "goes to no recipient when one of many has unsubscribed",
      { to: ["in@example.com", "new@example.com", "out@example.com"] },
      tooBad,
    ),
    row(
      "stays what it is when the request brings its own content",
      { to: "out@example.com", subject: "Own", body: "Own" },
      tooBad,
    ),
    row(
      "goes to one who comes back with the request",
      { to: "out@example.com", subscribed: true },
      {
        status: 200,
        mails: 1,
        events: flip,
        after: async (it, { body }) => {
          const { body: email } = await it.api(`GET /emails/${body.data.emails[0].email}`)
          expect(email.type).toBe("MARKETING")
          expect(email.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
        },
      },
    ),
  ]),
  { seed: markets("MARKETING") },
)

for (const type of ["TRANSACTIONAL", "HEADLESS"])
  scenarios(
    `POST /v1/send: a ${type} template (contract A4.3.5)`,
    countingTemplates([
      row("goes to a subscribed contact", { to: "in@example.com" }, { status: 200, mails: 1 }),
      row("goes to one who left", { to: "out@example.com" }, { status: 200, mails: 1 }),
      row(
        "goes to a new contact, who is not subscribed by that",
        { to: "new@example.com" },
        {
          status: 200,
          mails: 1,
          contacts: 1,
          after: async (it, { body }) => {
            const [{ contact, email: id }] = body.data.emails
            expect((await it.api(`GET /contacts/${contact.id}`)).body.subscribed).toBe(false)
            const { body: email } = await it.api(`GET /emails/${id}`)
            expect([email.type, "List-Unsubscribe" in email.headers, "Precedence" in email.headers]).toEqual([
              type,
              false,
              false,
            ])
          },
        },
      ),
      row(
        "goes to one whom the request unsubscribes",
        { to: "in@example.com", subscribed: false },
        { status: 200, mails: 1, events: leave },
      ),
    ]),
    { seed: markets(type) },
  )

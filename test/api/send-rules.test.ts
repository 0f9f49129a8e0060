import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type ParsedMail, simpleParser } from "mailparser"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { type Scenario, scenarios, storedEvents } from "../harness/scenarios.ts"

const ada = "ada@example.com"
const mail = { to: ada, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const knowsAda = (it: TestApp) => it.api("POST /v1/track", { body: { email: ada, event: "e", data: { plan: "free" } } })

const sends = (name: string, body: object, more: Partial<Scenario> = {}): Scenario => ({
  name,
  body: { ...mail, ...body },
  status: 200,
  mails: 1,
  ...more,
})
const lacks = (name: string, body: object, fields: Record<string, string>): Scenario => ({
  name,
  body: { ...mail, ...body },
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})

const unknown = "0199c0de-0000-7000-9000-00000000ffff"
const nothing = { subject: undefined, body: undefined, from: undefined }
scenarios(
  "POST /v1/send: the content (contract A4.3.1)",
  [
    sends("is subject and body", {}),
    lacks("is not a body alone", { subject: undefined }, { subject: "required", template: "custom" }),
    lacks("is not a subject alone", { body: undefined }, { body: "required", template: "custom" }),
    lacks(
      "is not null",
      { subject: null, body: null, template: null },
      { subject: "required", body: "required", template: "custom" },
    ),
    lacks("is not missing where it is wrong", { subject: 5, body: "" }, { subject: "invalid_type", body: "too_small" }),
    lacks("needs a sender", { from: undefined }, { from: "required" }),
    lacks(
      "needs no sender before its template is known (contract A4.3.2)",
      { ...nothing, template: "welcome" },
      { template: "invalid_string" },
    ),
    {
      name: "is not a template that is unknown, with a sender or without one (contract A4.3.4)",
      body: { ...mail, ...nothing, template: unknown.toUpperCase() },
      status: 404,
      code: "TEMPLATE_NOT_FOUND",
      answer: { success: false, error: { statusCode: 404, details: { resource: "Template", id: unknown } } },
    },
  ],
  { seed: knowsAda },
)

const refusedSender = (name: string, from: unknown): Scenario => ({
  name,
  body: { ...mail, from, subscribed: false, data: { plan: "pro" } },
  status: 403,
  code: "INTERNAL_SERVER_ERROR",
  answer: { success: false, error: { statusCode: 403 } },
  afterwards: async (it) => {
    const { body } = await it.api("GET /contacts")
    expect(body.data).toMatchObject([{ email: ada, subscribed: true, data: { plan: "free" } }])
  },
})
scenarios(
  "POST /v1/send: the sender's domain (contract A4.3.3)",
  [
    sends("is a verified one of the project", {}),
    sends("is compared without regard to case", { from: { email: "Hi@ACME.Test" } }),
    sends("is compared in its ASCII form", { from: "hi@bücher.test" }),
    sends("may be a subdomain that is verified itself", { from: "hi@deep.sub.test" }),
    refusedSender("is not one that nobody added", "hi@other.test"),
    refusedSender("is not one that is not verified", "hi@late.test"),
    refusedSender("is not one of another project", "hi@theirs.test"),
    refusedSender("is not a subdomain of a verified one", { name: "Shop", email: "hi@mail.acme.test" }),
    refusedSender("is not the parent of a verified one", "hi@sub.test"),
    refusedSender("is not one that ends like a verified one", "hi@notacme.test"),
    refusedSender("is not one that begins like a verified one", "hi@acme.test.example"),
  ],
  {
    seed: async (it) => {
      await knowsAda(it)
      const other = await it.app.projects.create("Other")
      await it.app.domains.add(other.id, "theirs.test", { vouched: true })
      await it.app.domains.add(it.project.id, "late.test", { vouched: false })
      for (const domain of ["bücher.test", "deep.sub.test"])
        await it.app.domains.add(it.project.id, domain, { vouched: true })
    },
  },
)

/** The state of the contact afterwards. */
const leaves =
  (subscribed: boolean): NonNullable<Scenario["afterwards"]> =>
  async (it, { body }) => {
    const { body: contact } = await it.api(`GET /contacts/${body.data.emails[0].contact.id}`)
    expect(contact.subscribed).toBe(subscribed)
  }
const fresh = (name: string, body: { to: string; subscribed?: boolean | null }, subscribed: boolean): Scenario =>
  sends(name, body, { contacts: 1, afterwards: leaves(subscribed) })

scenarios(
  "POST /v1/send: the subscription (contract A4.3.8)",
  [
    fresh("of a new contact is false unless asked for", { to: "one@example.com" }, false),
    fresh("of a new contact is false for null", { to: "two@example.com", subscribed: null }, false),
    fresh("of a new contact may be true, which is no flip", { to: "three@example.com", subscribed: true }, true),
    fresh("of a new contact may be false, which is no flip", { to: "four@example.com", subscribed: false }, false),
    sends("of a known contact stays", {}, { afterwards: leaves(true) }),
    sends("of a known contact stays with null", { subscribed: null }, { afterwards: leaves(true) }),
    sends("does not flip to what it is", { subscribed: true }, { afterwards: leaves(true) }),
    sends(
      "flips to false",
      { subscribed: false },
      {
        events: { "contact.unsubscribed": 1 },
        afterwards: async (it, answer) => {
          await leaves(false)(it, answer)
          const [{ contact }] = answer.body.data.emails
          const flip = { name: "contact.unsubscribed", contactId: contact.id, data: { reason: "api" } }
          expect((await storedEvents(it)).at(-1)).toMatchObject(flip)
        },
      },
    ),
    sends("does not flip twice", { subscribed: false }, { afterwards: leaves(false) }),
    sends("that is false keeps nothing but marketing away, and stays", {}, { afterwards: leaves(false) }),
    sends(
      "flips back",
      { subscribed: true },
      {
        events: { "contact.subscribed": 1 },
        afterwards: async (it, answer) => {
          await leaves(true)(it, answer)
          const [{ contact }] = answer.body.data.emails
          const flip = { name: "contact.subscribed", contactId: contact.id, data: {} }
          expect((await storedEvents(it)).at(-1)).toMatchObject(flip)
        },
      },
    ),
  ],
  { seed: knowsAda },
)

describe("POST /v1/send: sender and reply address (contract A4.3.2)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  /** Sends, and resolves to the record and the sent message. */
  async function leave(body: object): Promise<{ record: Record<string, unknown>; parsed: ParsedMail }> {
    const answer = await it.api("POST /v1/send", { body: { ...mail, ...body } })
    expect(answer.status).toBe(200)
    await it.settle()
    const left = it.sent().at(-1)
    const { body: record } = await it.api(`GET /emails/${answer.body.data.emails[0].email}`)
    expect(left?.id).toBe(record.id)
    return { record, parsed: await simpleParser(Buffer.from(left?.mime() ?? [])) }
  }

  test.each<[string, object, string]>([
    ["the project's name", {}, "Acme"],
    ["the name of from", { from: { name: "Own", email: "hi@acme.test" } }, "Own"],
    ["the deprecated name beside an address", { name: "Shop" }, "Shop"],
    ["the name of from, not the one beside it", { from: { name: "Own", email: "hi@acme.test" }, name: "Shop" }, "Own"],
    ["no name beside an object", { from: { email: "hi@acme.test" }, name: "Shop" }, "Acme"],
    ["the project's name for an empty one", { name: "" }, "Acme"],
    ["the project's name for a blank one", { name: " \t\u00a0" }, "Acme"],
    ["the project's name for an empty one of from", { from: { name: "", email: "hi@acme.test" } }, "Acme"],
    ["the project's name for a blank one of from", { from: { name: " ", email: "hi@acme.test" }, name: "x" }, "Acme"],
    ["a name without the space around it", { name: " The Shop " }, "The Shop"],
    ["no name beside an object whose name is null", { from: { name: null, email: "hi@acme.test" }, name: "x" }, "Acme"],
  ])("shows %s", async (_, body, name) => {
    const { record, parsed } = await leave(body)
    expect([record.from, record.fromName]).toEqual(["hi@acme.test", name])
    expect(parsed.from?.value).toEqual([{ name, address: "hi@acme.test" }])
  })

  test.each<[string, object, string | null, string[]]>([
    ["nobody", {}, null, []],
    ["the address asked for", { reply: "Help@Example.com" }, "help@example.com", ["help@example.com"]],
    ["whom the header names", { headers: { "reply-to": "own@example.com" } }, "own@example.com", ["own@example.com"]],
    [
      "all whom the header names",
      { headers: { "Reply-To": "Help <help@example.com>, own@example.com" } },
      "Help <help@example.com>, own@example.com",
      ["help@example.com", "own@example.com"],
    ],
    [
      "the address asked for, not the header",
      { reply: "help@example.com", headers: { "Reply-To": "own@example.com" } },
      "help@example.com",
      ["help@example.com"],
    ],
    ["nobody for an empty header", { headers: { "Reply-To": " " } }, null, []],
  ])("sends replies to %s", async (_, body, replyTo, addresses) => {
    const { record, parsed } = await leave(body)
    expect(record.replyTo).toBe(replyTo)
    expect(parsed.replyTo?.value.map(({ address }) => address) ?? []).toEqual(addresses)
    expect(parsed.headerLines.filter(({ key }) => key === "reply-to")).toHaveLength(addresses.length > 0 ? 1 : 0)
  })
})

import { describe, expect, test } from "bun:test"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { type Scenario, scenarios, storedEvents } from "../harness/scenarios.ts"

const ada = "ada@example.com"
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const invalid = { status: 422, code: "VALIDATION_ERROR" }
const unknownId = "0199c0de-0000-7000-8000-00000000dead"
const keys = ["contact", "contactId", "createdAt", "data", "emailId", "id", "name", "projectId"]

const known = { contact: "", mail: "" }
async function seed(it: TestApp): Promise<void> {
  const contact = await it.api("POST /contacts", { body: { email: ada, data: { plan: "free" } } })
  const mail = await it.api("POST /v1/send", { body: { to: ada, from: "hi@acme.test", subject: "Hi", body: "Hi" } })
  Object.assign(known, { contact: contact.body.id, mail: mail.body.data.emails[0].email })
  await it.settle()
}

/** The existing contact is unchanged. */
const untouched = async (it: TestApp) =>
  expect((await it.api(`GET /contacts/${known.contact}`)).body).toMatchObject({
    data: { plan: "free" },
    subscribed: true,
    updatedAt: "2026-01-31T09:15:00.000Z",
  })

const tracked = (name: string, body: object, more: Partial<Scenario> = {}): Scenario => ({
  name,
  body: { email: ada, event: "signup", ...body },
  status: 200,
  events: { signup: 1 },
  ...more,
})

scenarios(
  "POST /events/track: with event it is as POST /v1/track (contract B4.2.1)",
  [
    tracked(
      "stores the event and answers wrapped",
      { data: { from: "web", code: { value: 1, persistent: false } } },
      {
        afterwards: async (it, { body }) => {
          expect(body).toEqual({
            success: true,
            data: {
              contact: known.contact,
              event: expect.stringMatching(uuid),
              timestamp: "2026-01-31T09:15:00.000Z",
            },
          })
          const event = (await storedEvents(it)).find(({ id }) => id === body.data.event)
          expect(event).toMatchObject({ data: { from: "web", code: { value: 1, persistent: false } }, emailId: null })
          const { data } = (await it.api(`GET /contacts/${known.contact}`)).body
          expect(data).toEqual({ plan: "free", from: "web" })
        },
      },
    ),
    tracked("creates the contact", { email: "New@Example.com" }, { contacts: 1 }),
    tracked("flips the contact", { subscribed: false }, { events: { signup: 1, "contact.unsubscribed": 1 } }),
    tracked("does not look at the other form", { name: "email.sent", contactId: 5, emailId: unknownId }),
    tracked("trims the name", { event: " signup " }),
    tracked("knows no idempotency", { email: ada }, { headers: { "Idempotency-Key": "once" } }),
    tracked(
      "knows no idempotency, so that the same key is no conflict",
      {},
      { headers: { "Idempotency-Key": "once" } },
    ),
    {
      name: "hears of every fault at once",
      body: { event: "segment.vip.entry", email: "no", subscribed: 1, data: [] },
      ...invalid,
      fields: { event: "reserved_event", email: "invalid_string", subscribed: "invalid_type", data: "invalid_type" },
    },
    { name: "wants an address", body: { event: "signup", name: "x" }, ...invalid, fields: { email: "required" } },
    {
      name: "wants a name in it",
      body: { event: "", name: "x", email: ada },
      ...invalid,
      fields: { event: "too_small" },
    },
    {
      name: "wants a text",
      body: { event: 5, email: ada },
      ...invalid,
      fields: { event: "invalid_type" },
      answer: { error: { errors: [{ received: "number" }] } },
    },
  ],
  { seed },
)

const plain = (name: string, body: () => object, record: () => object = () => ({})): Scenario => ({
  name,
  status: 201,
  events: { purchase: 1 },
  get body() {
    return { name: "purchase", ...body() }
  },
  afterwards: async (it, answer) => {
    expect(Object.keys(answer.body).sort()).toEqual(keys)
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(uuid),
      name: "purchase",
      projectId: it.project.id,
      createdAt: "2026-01-31T09:15:00.000Z",
      ...record(),
    })
    const [first] = (await it.api("GET /events?limit=1")).body.data
    expect(first).toEqual(answer.body)
    await untouched(it)
  },
})

const withoutContact = () => ({ contactId: null, contact: null, emailId: null, data: {} })
const refusedName = (name: unknown, code: string): Scenario => ({
  name: `is refused with the name ${JSON.stringify(name)}`,
  body: { name },
  ...invalid,
  fields: { name: code },
})

scenarios(
  "POST /events/track: with name it is an event by itself (contract B4.2.2)",
  [
    plain("has no contact without one", () => ({}), withoutContact),
    plain(
      "has no contact with null",
      () => ({ contactId: null, emailId: null, data: null, event: null }),
      withoutContact,
    ),
    plain(
      "is of the contact, who stays as they are",
      () => ({ contactId: known.contact, data: { amount: 99, plan: "pro" }, email: 5, subscribed: "no" }),
      () => ({
        contactId: known.contact,
        contact: { id: known.contact, email: ada },
        emailId: null,
        data: { amount: 99, plan: "pro" },
      }),
    ),
    plain(
      "takes ids in any case, and a name with space around it",
      () => ({ name: "\tpurchase ", contactId: known.contact.toUpperCase(), emailId: known.mail.toUpperCase() }),
      () => ({ contactId: known.contact, emailId: known.mail }),
    ),
    plain(
      "may be about a mail alone",
      () => ({ emailId: known.mail }),
      () => ({ ...withoutContact(), emailId: known.mail }),
    ),
    {
      name: "is 404 for an unknown contact",
      body: { name: "purchase", contactId: unknownId },
      status: 404,
      code: "CONTACT_NOT_FOUND",
      answer: { error: { details: { resource: "Contact", id: unknownId } } },
    },
    {
      name: "is 404 for an unknown mail",
      body: { name: "purchase", emailId: unknownId },
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "is refused with invalid ids",
      body: { name: "purchase", contactId: "5", emailId: 5 },
      ...invalid,
      fields: { contactId: "invalid_string", emailId: "invalid_type" },
    },
    refusedName("", "too_small"),
    refusedName(" ", "too_small"),
    refusedName("e".repeat(256), "too_big"),
    refusedName(" .. ", "invalid_string"),
    refusedName(".", "invalid_string"),
    refusedName(5, "invalid_type"),
    refusedName(["a"], "invalid_type"),
    ...["email.x", "email.", "contact.subscribed", "contact.unsubscribed", "segment.vip.entry", "segment.a.b.exit"].map(
      (name) => refusedName(name, "reserved_event"),
    ),
    ...["email", "Email.x", "emails.x", "contact.created", "segment.entry", "segment.vip.joined"].map(
      (name): Scenario => ({ name: `may be named ${name}`, body: { name }, status: 201, events: { [name]: 1 } }),
    ),
    {
      name: "hears of every fault at once",
      body: { name: "email.x", contactId: "x", data: "x" },
      ...invalid,
      fields: { name: "reserved_event", contactId: "invalid_string", data: "invalid_type" },
    },
    {
      name: "is refused with data beyond the limits",
      body: { name: "purchase", data: { text: "x".repeat(256 * 1024) } },
      ...invalid,
      fields: { data: "too_big" },
    },
    ...[{}, { event: null, name: null }, { email: ada }, { contactId: "x" }].map(
      (body): Scenario => ({
        name: `is refused when neither is there: ${JSON.stringify(body)}`,
        body,
        ...invalid,
        fields: { event: "required" },
      }),
    ),
    { name: "takes no public key", key: "pk", body: { name: "purchase" }, status: 401, code: "INVALID_API_KEY" },
  ],
  { seed },
)

describe("POST /events/track: a contact or mail of another project", () => {
  test("is treated as unknown", async () => {
    const it = await startTestApp()
    await seed(it)
    const { secret } = await it.app.projects.create("Other")
    const call = (body: object): Promise<ApiAnswer> => it.api("POST /events/track", { key: secret, body })
    expect((await call({ name: "x", contactId: known.contact })).body.error.code).toBe("CONTACT_NOT_FOUND")
    expect((await call({ name: "x", emailId: known.mail })).body.error.code).toBe("RESOURCE_NOT_FOUND")
    expect((await it.api("GET /events", { key: secret })).body.total).toBe(0)
    await it.close()
  })
})

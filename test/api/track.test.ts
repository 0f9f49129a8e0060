import { expect } from "bun:test"
import type { ApiAnswer } from "../harness/api.ts"
import type { TestApp } from "../harness/app.ts"
import { type Scenario, scenarios, storedEvents } from "../harness/scenarios.ts"

const ada = "ada@example.com"
const bo = "bo@example.com"
const ok = { status: 200, events: { signup: 1 } }
const invalid = { status: 422, code: "VALIDATION_ERROR" }
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const known = (name: string, body: object, more: Partial<Scenario> = {}): Scenario => ({
  name,
  body: { email: ada, event: "signup", ...body },
  ...ok,
  ...more,
})

const named = (event: string, stored = event): Scenario => ({
  name: `may be named ${JSON.stringify(event)}`,
  body: { email: ada, event },
  status: 200,
  events: { [stored]: 1 },
})

const reserved = (event: string): Scenario => ({
  name: `may not be named ${JSON.stringify(event)}`,
  body: { email: "nobody@example.com", event },
  ...invalid,
  fields: { event: "reserved_event" },
  afterwards: (_, { body }) => expect(body.error.errors[0].received).toBe(event.trim()),
})

const wrongType = (field: string, value: unknown, received: string): Scenario => ({
  name: `with ${field} ${JSON.stringify(value)} is refused`,
  body: { email: "nobody@example.com", event: "signup", [field]: value },
  ...invalid,
  fields: { [field]: "invalid_type" },
  answer: { error: { errors: [{ field, code: "invalid_type", received }] } },
})

/** What the contact is afterwards. */
const leaves =
  (contact: object) =>
  async (it: TestApp, { body }: ApiAnswer): Promise<void> => {
    expect((await it.api(`GET /contacts/${body.data.contact}`)).body).toMatchObject(contact)
  }

const seed = { seed: (it: TestApp) => it.api("POST /v1/track", { body: { email: ada, event: "signup" } }) }

scenarios(
  "POST /v1/track: an event (contract A4.1)",
  [
    known("for a known contact is stored", {}),
    known("is stored again when it is tracked again", {}),
    {
      name: "answers with the ids of contact and event, and the time",
      body: { email: ada, event: "signup", data: { plan: "pro" } },
      ...ok,
      answer: { success: true, data: { timestamp: "2026-01-31T09:15:00.000Z" } },
      afterwards: async (it, { body }) => {
        expect(Object.keys(body.data).sort()).toEqual(["contact", "event", "timestamp"])
        expect(body.data.contact).toMatch(uuid)
        const event = (await storedEvents(it)).find(({ id }) => id === body.data.event)
        expect(event).toMatchObject({
          name: "signup",
          contactId: body.data.contact,
          projectId: it.project.id,
          emailId: null,
          data: { plan: "pro" },
        })
      },
    },
    named("  padded  ", "padded"),
    named("e"),
    named("e".repeat(255)),
    named("💌".repeat(255)),
    named(` ${"e".repeat(255)} `, "e".repeat(255)),
    ...[
      "email",
      "Email.sent",
      "EMAIL.x",
      "emails.x",
      "my.email.sent",
      "contact.created",
      "Contact.subscribed",
      "contact.subscribed.x",
      "contact.unsubscribed2",
      "segment",
      "segment.",
      "segment.entry",
      "segment..entry2",
      "segment.vip.joined",
      "segment.vip.entry.x",
      "Segment.vip.entry",
      "mysegment.vip.exit",
      "with space",
      "ünïcode",
      "<b>",
      "constructor",
      "__proto__",
    ].map((name) => named(name)),
    ...[
      "email.sent",
      "email.",
      "email.anything.else",
      "contact.subscribed",
      "contact.unsubscribed",
      "segment.vip.entry",
      "segment.vip.exit",
      "segment.a.b.exit",
      "segment...entry",
      "segment. .entry",
      "segment.a\nb.exit",
      " email.x ",
      "\temail.sent",
    ].map(reserved),
    {
      name: "without a name is refused",
      body: { email: "nobody@example.com" },
      ...invalid,
      fields: { event: "required" },
    },
    ...["", " ", "\t\n"].map((event) => ({
      name: `named ${JSON.stringify(event)} is refused`,
      body: { email: "nobody@example.com", event },
      ...invalid,
      fields: { event: "too_small" },
    })),
    {
      name: "with a name of 256 characters is refused",
      body: { email: "nobody@example.com", event: "💌".repeat(256) },
      ...invalid,
      fields: { event: "too_big" },
    },
    { name: "without address is refused", body: { event: "signup" }, ...invalid, fields: { email: "required" } },
    {
      name: "with several faults hears of all",
      body: { email: "no", event: "email.x", subscribed: 1, data: [] },
      ...invalid,
      fields: { email: "invalid_string", event: "reserved_event", subscribed: "invalid_type", data: "invalid_type" },
    },
    wrongType("email", 5, "number"),
    wrongType("email", { email: ada }, "object"),
    wrongType("email", [ada], "array"),
    wrongType("event", 5, "number"),
    wrongType("event", true, "boolean"),
    wrongType("event", {}, "object"),
    wrongType("subscribed", "true", "string"),
    wrongType("subscribed", 1, "number"),
    wrongType("data", "x", "string"),
    wrongType("data", [1], "array"),
  ],
  seed,
)

scenarios(
  "POST /v1/track: the contact (contract A4.1)",
  [
    {
      name: "is created when it is missing, subscribed, without an event of its own",
      body: { email: "new@example.com", event: "signup", data: { plan: "pro", code: { value: 1, persistent: false } } },
      ...ok,
      contacts: 1,
      afterwards: async (it, { body }) => {
        const { body: contact } = await it.api(`GET /contacts/${body.data.contact}`)
        expect(contact).toEqual({
          id: body.data.contact,
          email: "new@example.com",
          subscribed: true,
          data: { plan: "pro" },
          projectId: it.project.id,
          createdAt: "2026-01-31T09:15:00.000Z",
          updatedAt: "2026-01-31T09:15:00.000Z",
        })
      },
    },
    ...[true, false].map((subscribed) => ({
      name: `is created with subscribed ${subscribed} when told so, which is no flip`,
      body: { email: `new-${subscribed}@example.com`, event: "signup", subscribed },
      ...ok,
      contacts: 1,
      afterwards: leaves({ subscribed, data: {} }),
    })),
    known("keeps its state when subscribed is left out", {}, { afterwards: leaves({ subscribed: true }) }),
    known("keeps its state when subscribed is null", { subscribed: null }),
    known("does not flip to the state it has", { subscribed: true }),
    known(
      "flips to unsubscribed",
      { subscribed: false },
      {
        events: { signup: 1, "contact.unsubscribed": 1 },
        afterwards: async (it, { body }) => {
          const [flip, event] = (await storedEvents(it)).slice(-2)
          expect([flip?.name, flip?.data, flip?.contactId]).toEqual([
            "contact.unsubscribed",
            { reason: "api" },
            body.data.contact,
          ])
          expect(event?.id).toBe(body.data.event)
        },
      },
    ),
    known("stays unsubscribed when subscribed is left out", {}, { afterwards: leaves({ subscribed: false }) }),
    known("does not flip again", { subscribed: false }),
    known(
      "flips back",
      { subscribed: true },
      {
        events: { signup: 1, "contact.subscribed": 1 },
        afterwards: async (it) =>
          expect((await storedEvents(it)).at(-2)).toMatchObject({
            name: "contact.subscribed",
            data: {},
          }),
      },
    ),
    {
      name: "is not created by a refused request",
      body: { email: bo, event: "email.sent", data: { a: 1 } },
      ...invalid,
      fields: { event: "reserved_event" },
    },
    {
      name: "is not flipped or patched by a refused request",
      body: { email: ada, event: "", subscribed: false, data: { a: 1 } },
      ...invalid,
      fields: { event: "too_small" },
    },
  ],
  seed,
)

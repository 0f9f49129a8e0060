import { expect } from "bun:test"
import { scenarios, storedEvents } from "../harness/scenarios.ts"

const born = "2026-01-31T09:15:00.000Z"
const refused = { status: 422, code: "VALIDATION_ERROR" }

scenarios("POST /contacts: a new contact (contract A5.2)", [
  {
    name: "is 201, subscribed, and shown whole (contract A5.14)",
    body: { email: " Ada@Example.com", data: { plan: "pro" } },
    status: 201,
    contacts: 1,
    afterwards: async (it, { body }) => {
      const { id } = body
      const contact = {
        id,
        email: "ada@example.com",
        subscribed: true,
        data: { plan: "pro" },
        projectId: it.project.id,
        createdAt: born,
        updatedAt: born,
      }
      expect(body).toEqual({ ...contact, _meta: { isNew: true, isUpdate: false } })
      expect((await it.api(`GET /contacts/${id}`)).body).toEqual(contact)
    },
  },
  {
    name: "needs nothing but an address",
    body: { email: "a@example.com" },
    status: 201,
    answer: { data: {}, subscribed: true },
    contacts: 1,
  },
  {
    name: "may be unsubscribed, without an event (contract A4.1.2)",
    body: { email: "b@example.com", subscribed: false },
    status: 201,
    answer: { subscribed: false },
    contacts: 1,
  },
  {
    name: "takes null for what is optional (contract A1.1.5)",
    body: { email: "c@example.com", subscribed: null, data: null },
    status: 201,
    answer: { subscribed: true, data: {} },
    contacts: 1,
  },
  {
    name: "takes data by the rules of A2",
    body: {
      email: "d@example.com",
      data: { id: "7", note: "", gone: null, once: { value: 1, persistent: false }, profile: { tier: "gold" } },
    },
    status: 201,
    contacts: 1,
    afterwards: (_, { body }) => expect(body.data).toEqual({ profile: { tier: "gold" } }),
  },
  {
    name: "ignores unknown fields (contract A1.2.3)",
    body: { email: "e@example.com", id: "x", createdAt: "2020-01-01", _meta: 1 },
    status: 201,
    answer: { createdAt: born },
    contacts: 1,
  },
  {
    name: "needs a key (contract A1.5)",
    body: { email: "f@example.com" },
    key: "none",
    status: 401,
    code: "INVALID_API_KEY",
  },
  {
    name: "is not for the public key (contract A1.5)",
    body: { email: "f@example.com" },
    key: "pk",
    status: 401,
    code: "INVALID_API_KEY",
  },
])

scenarios(
  "POST /contacts: a known contact (contract A5.2)",
  [
    {
      name: "is 200 and keeps what is not sent",
      body: { email: "ADA@example.com " },
      status: 200,
      answer: {
        subscribed: true,
        data: { plan: "free", city: "Oslo" },
        _meta: { isNew: false, isUpdate: true },
        updatedAt: born,
      },
    },
    {
      name: "is patched",
      body: { email: "ada@example.com", data: { plan: "pro", city: null } },
      status: 200,
      answer: { _meta: { isNew: false, isUpdate: true } },
      afterwards: (_, { body }) => expect(body.data).toEqual({ plan: "pro" }),
    },
    {
      name: "is unsubscribed, with an event",
      body: { email: "ada@example.com", subscribed: false },
      status: 200,
      answer: { subscribed: false },
      events: { "contact.unsubscribed": 1 },
      afterwards: async (it, { body }) => {
        const event = (await storedEvents(it)).at(-1)
        expect([event?.contactId, event?.data]).toEqual([body.id, { reason: "api" }])
      },
    },
    {
      name: "stays unsubscribed when nothing is said",
      body: { email: "ada@example.com" },
      status: 200,
      answer: { subscribed: false },
    },
    {
      name: "has no event for the state it has",
      body: { email: "ada@example.com", subscribed: false },
      status: 200,
      answer: { subscribed: false },
    },
    {
      name: "is subscribed again, with an event",
      body: { email: "ada@example.com", subscribed: true },
      status: 200,
      answer: { subscribed: true },
      events: { "contact.subscribed": 1 },
      afterwards: async (it) => expect((await storedEvents(it)).at(-1)?.data).toEqual({}),
    },
  ],
  {
    seed: (it) =>
      it.api("POST /contacts", { body: { email: "ada@example.com", data: { plan: "free", city: "Oslo" } } }),
  },
)

const bare = (name: string, body: unknown) => ({
  name,
  body,
  status: 400,
  afterwards: (_: unknown, answer: { body: unknown }) => expect(answer.body).toEqual({ error: expect.any(String) }),
})

scenarios("POST /contacts: without an address (contract A1.8)", [
  bare("an empty body is a bare error", {}),
  bare("null is a bare error", { email: null }),
  bare("blanks are a bare error", { email: " \t" }),
  bare("whatever else is wrong (contract A1.6)", { subscribed: "yes", data: 5 }),
  {
    name: "a body that is no object is not",
    raw: "[]",
    headers: { "Content-Type": "application/json" },
    ...refused,
    fields: { "": "invalid_type" },
  },
  {
    name: "broken JSON is not",
    raw: "{",
    headers: { "Content-Type": "application/json" },
    status: 400,
    code: "BAD_REQUEST",
  },
])

scenarios("POST /contacts: faults (contract A1.7)", [
  { name: "in the address", body: { email: "not-an-email" }, ...refused, fields: { email: "invalid_string" } },
  { name: "in the type of the address", body: { email: 5 }, ...refused, fields: { email: "invalid_type" } },
  {
    name: "in the state",
    body: { email: "a@example.com", subscribed: "true" },
    ...refused,
    fields: { subscribed: "invalid_type" },
  },
  ...["text", 5, true, []].map((data) => ({
    name: `in data that is ${JSON.stringify(data)}`,
    body: { email: "a@example.com", data },
    ...refused,
    fields: { data: "invalid_type" },
  })),
  {
    name: "in a key of data",
    body: { email: "a@example.com", data: { "": 1 } },
    ...refused,
    fields: { data: "too_big" },
  },
  {
    name: "in the size of data",
    body: { email: "a@example.com", data: { a: "x".repeat(256 * 1_024) } },
    ...refused,
    fields: { data: "too_big" },
  },
  {
    name: "all at once",
    body: { email: "x", subscribed: 1, data: "y" },
    ...refused,
    fields: { email: "invalid_string", subscribed: "invalid_type", data: "invalid_type" },
  },
])

import { expect } from "bun:test"
import { addTemplate, type Scenario, scenarios } from "../harness/scenarios.ts"

const ada = "ada@example.com"
const mail = { to: ada, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const ok = { status: 200, mails: 1 }
const invalid = { status: 422, code: "VALIDATION_ERROR" }
const seed = {
  seed: (it: Parameters<NonNullable<Scenario["given"]>>[0]) =>
    it.api("POST /v1/track", { body: { email: ada, event: "e" } }),
}

const sends = (name: string, body: object, more: Partial<Scenario> = {}): Scenario => ({
  name,
  body: { ...mail, ...body },
  ...ok,
  ...more,
})
const refuses = (name: string, body: object, fields: Record<string, string>): Scenario => ({
  name,
  body: { ...mail, ...body },
  ...invalid,
  fields,
})

/** Texts that would inject a header, or that are invalid in one. */
const breakouts = ["a\nb", "a\rb", "a\r\nBcc: x@example.com", "a\u0000b", "a\u0001b", "a\u007fb", "\n", "a\r\n b"]

scenarios(
  "POST /v1/send: to (contract A4.2)",
  [
    sends("may be an address", { to: ada }),
    sends(
      "may be an address in any spelling",
      { to: " ADA@Example.com " },
      {
        afterwards: (_, { body }) => expect(body.data.emails[0].contact.email).toBe(ada),
      },
    ),
    sends("may be an object", { to: { email: ada } }),
    sends("may be an object with a name", { to: { name: "Ada Lovelace", email: ada } }),
    sends("may have a name of 998 characters", { to: { name: "💌".repeat(998), email: ada } }),
    refuses("may not have a name of 999", { to: [{ name: "x".repeat(999), email: ada }] }, { "to.0.name": "too_big" }),
    sends("may be an object with name null", { to: { name: null, email: ada } }),
    sends("may be an array of one", { to: [ada] }),
    sends("may be a mixed array", { to: [ada, { email: ada }, { name: "Ada", email: ada }] }, { mails: 3 }),
    sends("may be 1,000 recipients", { to: Array.from({ length: 1_000 }, () => ada) }, { mails: 1_000 }),
    sends("may have unknown fields", { to: { email: ada, colour: "red" } }),
    refuses("may not be missing", { to: undefined }, { to: "required" }),
    refuses("may not be null", { to: null }, { to: "required" }),
    refuses("may not be empty", { to: "" }, { to: "invalid_string" }),
    refuses("may not be no address", { to: "ada" }, { to: "invalid_string" }),
    {
      ...refuses("may not be an address with a name", { to: "Ada <ada@example.com>" }, { to: "invalid_string" }),
      afterwards: (_, { body }) =>
        expect(body.error.errors[0].message).toContain('{"name": "Ada", "email": "ada@example.com"}'),
    },
    refuses("may not be a list in a string", { to: "ada@example.com, bo@example.com" }, { to: "invalid_string" }),
    refuses("may not be a number", { to: 5 }, { to: "invalid_type" }),
    refuses("may not be true", { to: true }, { to: "invalid_type" }),
    refuses("may not be an empty array", { to: [] }, { to: "too_small" }),
    refuses("may not be 1,001 recipients", { to: Array.from({ length: 1_001 }, () => ada) }, { to: "too_big" }),
    refuses("may not lack the address", { to: { name: "Ada" } }, { "to.email": "required" }),
    refuses("may not hold a bad address", { to: { email: "ada" } }, { "to.email": "invalid_string" }),
    refuses("may not hold an address of another type", { to: { email: 5 } }, { "to.email": "invalid_type" }),
    refuses("may not hold a name of another type", { to: { name: 5, email: ada } }, { "to.name": "invalid_type" }),
    refuses(
      "may not hold bad recipients anywhere",
      { to: [ada, "bo", { email: "x" }, { name: "Di" }, 5, { email: ada, name: [] }] },
      {
        "to.1": "invalid_string",
        "to.2.email": "invalid_string",
        "to.3.email": "required",
        "to.4": "invalid_type",
        "to.5.name": "invalid_type",
      },
    ),
    refuses("may not hold null", { to: [null] }, { "to.0": "invalid_type" }),
    refuses("may not hold arrays", { to: [[ada]] }, { "to.0": "invalid_type" }),
    ...breakouts.map((name) =>
      refuses(
        `may not hold the name ${JSON.stringify(name)}`,
        { to: [{ name, email: ada }] },
        { "to.0.name": "invalid_string" },
      ),
    ),
  ],
  seed,
)

scenarios(
  "POST /v1/send: the subject (contract A4.2)",
  [
    sends("may have one character", { subject: "x" }),
    sends("may have 998 characters", { subject: "💌".repeat(998) }),
    sends("may be a space", { subject: " " }),
    sends("may have a tab", { subject: "a\tb" }),
    refuses("may not be empty", { subject: "" }, { subject: "too_small" }),
    refuses("may not have 999 characters", { subject: "💌".repeat(999) }, { subject: "too_big" }),
    refuses("may not be a number", { subject: 5 }, { subject: "invalid_type" }),
    ...breakouts.map((subject) =>
      refuses(`may not be ${JSON.stringify(subject)}`, { subject }, { subject: "invalid_string" }),
    ),
  ],
  seed,
)

scenarios(
  "POST /v1/send: the body (contract A4.2)",
  [
    sends("may have one character", { body: "x" }),
    sends("may have line breaks and odd characters", { body: "a\r\nb\u0001💌\ud800" }),
    refuses("may not hold NUL, which no HTML has", { body: "a\u0000b" }, { body: "custom" }),
    refuses("may not be empty", { body: "" }, { body: "too_small" }),
    refuses("may not be an object", { body: {} }, { body: "invalid_type" }),
  ],
  seed,
)

scenarios(
  "POST /v1/send: who sends (contract A4.2)",
  [
    sends("may be an address", { from: " Hi@ACME.test " }),
    sends("may be an object", { from: { email: "hi@acme.test" } }),
    sends("may have a name", { from: { name: 'Ada "The" Lovelace, <x> 💌', email: "hi@acme.test" } }),
    sends("may have a name beside it", { name: "Shop" }),
    refuses("may not have a name of 999 characters beside it", { name: "x".repeat(999) }, { name: "too_big" }),
    sends("may have null beside it", { name: null, reply: null }),
    refuses("may not be no address", { from: "acme.test" }, { from: "invalid_string" }),
    refuses("may not be empty", { from: "" }, { from: "invalid_string" }),
    refuses("may not be a number", { from: 5 }, { from: "invalid_type" }),
    refuses("may not be an array", { from: ["hi@acme.test"] }, { from: "invalid_type" }),
    refuses("may not lack the address", { from: { name: "Shop" } }, { "from.email": "required" }),
    refuses("may not be null", { from: null }, { from: "required" }),
    ...breakouts.map((name) =>
      refuses(
        `may not have the name ${JSON.stringify(name)}`,
        { from: { name, email: "hi@acme.test" } },
        { "from.name": "invalid_string" },
      ),
    ),
    ...breakouts.map((name) =>
      refuses(`may not have ${JSON.stringify(name)} as deprecated name`, { name }, { name: "invalid_string" }),
    ),
    refuses(
      "may not have a bad deprecated name, also where it is not read",
      { from: { name: "Shop", email: "hi@acme.test" }, name: "a\nb" },
      { name: "invalid_string" },
    ),
    refuses("may not have a name that is a number", { name: 5 }, { name: "invalid_type" }),
    sends("may want replies elsewhere", { reply: "Replies@Example.com" }),
    refuses("may not want replies at no address", { reply: "replies" }, { reply: "invalid_string" }),
    refuses("may not want replies at an object", { reply: { email: ada } }, { reply: "invalid_type" }),
    refuses(
      "may not break out of Reply-To",
      { reply: "a@example.com\r\nBcc: b@example.com" },
      { reply: "invalid_string" },
    ),
  ],
  seed,
)

const template = "0199c0de-0000-7000-9000-000000000001"
scenarios(
  "POST /v1/send: the other fields (contract A4.2)",
  [
    sends("take a template id in any case", { template: template.toUpperCase() }),
    sends("take null for none", { template: null, subscribed: null, data: null, headers: null, attachments: null }),
    refuses("refuse a template that is no UUID", { template: "welcome" }, { template: "invalid_string" }),
    refuses("refuse an empty template", { template: "" }, { template: "invalid_string" }),
    refuses("refuse a template that is a number", { template: 5 }, { template: "invalid_type" }),
    refuses("refuse subscribed that is no boolean", { subscribed: "false" }, { subscribed: "invalid_type" }),
    refuses("refuse data that is no object", { data: [] }, { data: "invalid_type" }),
    refuses(
      "refuse data of which 1,000 recipients would keep more than 50 MB",
      { to: Array.from({ length: 1_000 }, () => ada), data: { x: { value: "x".repeat(60_000), persistent: false } } },
      { data: "too_big" },
    ),
    sends("take as much for one recipient", {
      to: [ada],
      data: { x: { value: "x".repeat(60_000), persistent: false } },
    }),
    refuses("refuse headers that are no object", { headers: ["X-A: 1"] }, { headers: "invalid_type" }),
    refuses("refuse attachments that are no array", { attachments: {} }, { attachments: "invalid_type" }),
    {
      name: "with several faults are all reported",
      body: {},
      ...invalid,
      fields: { to: "required", subject: "required", body: "required", from: "required", template: "custom" },
    },
  ],
  {
    seed: async (it) => {
      await seed.seed(it)
      await addTemplate(it, { id: template })
    },
  },
)

const manyHeaders = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-Number-${at}`, "1"]))

scenarios(
  "POST /v1/send: headers (contract A4.2)",
  [
    sends("may be none", { headers: {} }),
    sends("may have any printable name", { headers: { "X-!#$%&'*+.^_`|~()<>@,;\\\"/[]?={}": "1" } }),
    sends("may have the names of prototypes", {
      headers: JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'),
    }),
    sends("may have values of 998 characters", { headers: { "X-Long": "é".repeat(998) } }),
    sends("may have empty values", { headers: { "X-Empty": "" } }),
    sends("may be 100", { headers: manyHeaders(100) }),
    refuses("may not be 101", { headers: manyHeaders(101) }, { headers: "too_big" }),
    sends("may have names of 900 characters", { headers: { ["X".repeat(900)]: "1" } }),
    refuses(
      "may not have names of 901 characters",
      { headers: { ["X".repeat(901)]: "1" } },
      { [`headers.${"X".repeat(901)}`]: "too_big" },
    ),
    sends("may have values with tabs", { headers: { "X-Tab": "a\tb" } }),
    refuses(
      "may not have values of 999 characters",
      { headers: { "X-Long": "x".repeat(999) } },
      { "headers.X-Long": "too_big" },
    ),
    refuses(
      "may not have values that are no strings",
      { headers: { "X-A": 1, "X-B": null, "X-C": ["a"], "X-D": "fine" } },
      {
        "headers.X-A": "invalid_type",
        "headers.X-B": "invalid_type",
        "headers.X-C": "invalid_type",
      },
    ),
    ...["", " ", "X A", "X:", "X-\u00e9", "X-💌", ...breakouts].map((name) =>
      refuses(
        `may not have the name ${JSON.stringify(name)}`,
        { headers: { [name]: "1" } },
        { [`headers.${name}`]: "invalid_string" },
      ),
    ),
    ...breakouts.map((value) =>
      refuses(
        `may not have the value ${JSON.stringify(value)}`,
        { headers: { "X-A": value } },
        { "headers.X-A": "invalid_string" },
      ),
    ),
  ],
  seed,
)

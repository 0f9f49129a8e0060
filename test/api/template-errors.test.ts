import { expect } from "bun:test"
import { addTemplate, type Scenario, scenarios } from "../harness/scenarios.ts"

const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const broken = "0199c0de-0000-7000-9000-000000000001"

const faulty = (name: string, body: object, field: string, line: number, column: number): Scenario => ({
  name,
  body: { ...mail, ...body },
  status: 422,
  code: "VALIDATION_ERROR",
  fields: { [field]: "custom" },
  answer: { error: { details: { field, line, column } } },
  afterwards: (_, { body }) => expect(body.error.errors[0].message).toContain(`ine ${line}`),
})
const refused = (name: string, body: object, fields: Record<string, string>): Scenario => ({
  name,
  body: { ...mail, ...body },
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
  afterwards: (_, { body }) => expect(body.error.details).toBeUndefined(),
})

const items = Array.from({ length: 3_000 }, (_, at) => at)
const once = (value: unknown) => ({ value, persistent: false })

scenarios(
  "POST /v1/send: a template fault (contract A3.5)",
  [
    faulty("in the body is placed", { body: "<p>\n  {{#if}}</p>" }, "body", 2, 3),
    faulty("in the subject is placed", { subject: "Hi {{name" }, "subject", 1, 4),
    faulty(
      "is found though all recipients came before",
      { to: ["a@example.com", "b@example.com"], body: "\r\n\r\n{{/if}}" },
      "body",
      3,
      1,
    ),
    faulty("counts columns in characters", { body: "💌💌 {{nope x}}" }, "body", 1, 4),
    faulty("may be an unknown helper", { body: "<p>{{shout name}}</p>" }, "body", 1, 4),
    faulty("may be an unknown block", { body: "{{#list items}}{{/list}}" }, "body", 1, 1),
    faulty("may be an unknown helper inside another", { body: "{{#if (shout name)}}{{/if}}" }, "body", 1, 7),
    faulty("may be a partial", { body: "a\n{{> header}}" }, "body", 2, 1),
    faulty("may be a decorator", { body: "{{* x}}" }, "body", 1, 1),
    faulty("may be an unclosed block", { body: "{{#if a}}" }, "body", 1, 1),
    faulty("may be a second fallback", { body: "{{a ?? b ?? c}}" }, "body", 1, 10),
    faulty("may be an empty fallback", { body: "{{a ?? }}" }, "body", 1, 5),
    faulty("may be a fallback after a helper", { body: "{{upper a ?? b}}" }, "body", 1, 11),
    {
      name: "in both fields is reported for both, with the position of the first",
      body: { ...mail, subject: "{{a b}}", body: "\n{{c d}}" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { subject: "custom", body: "custom" },
      answer: { error: { details: { field: "subject", line: 1, column: 1 } } },
    },
    faulty("of a stored template counts as well", { subject: null, body: null, template: broken }, "body", 2, 1),
    {
      name: "of a stored template does not matter where the request replaces it",
      body: { to: "bo@example.com", template: broken, body: "<p>Mended</p>" },
      status: 200,
      mails: 1,
      contacts: 1,
    },
    refused(
      "is not reported for a source of more than 2,000,000 characters, which is too big",
      { body: `${"x".repeat(2_000_000)}y` },
      { body: "too_big" },
    ),
    {
      name: "is not 2,000,000 characters, whatever their bytes",
      body: { ...mail, to: "bo@example.com", body: "é".repeat(2_000_000) },
      status: 200,
      mails: 1,
    },
    refused(
      "is a rendering beyond 10 MB",
      { body: "{{#each a}}{{@root.s}}{{/each}}", data: { a: once(items), s: once("x".repeat(10_000)) } },
      { body: "custom" },
    ),
    refused(
      "is a subject rendered beyond 10 MB",
      { subject: "{{#each a}}{{@root.s}}{{/each}}", data: { a: once(items), s: once("x".repeat(10_000)) } },
      { subject: "custom" },
    ),
    {
      name: "is not a missing value",
      body: { ...mail, to: "bo@example.com", subject: "{{a.b.c}}", body: "{{x}}{{y.z}}{{constructor}}{{__proto__.x}}" },
      status: 200,
      mails: 1,
      afterwards: async (it, { body }) => {
        const sent = await it.api(`GET /emails/${body.data.emails[0].email}`)
        expect([sent.body.subject, sent.body.text.trim()]).toEqual(["", ""])
      },
    },
  ],
  { seed: (it) => addTemplate(it, { id: broken, body: "fine\n{{#if}}" }) },
)

// With an app of its own, because what others take longer than is ordinary leaves less than a second to it (contract A3.6).
scenarios("POST /v1/send: a template fault (contract A3.5)", [
  refused(
    "is a rendering of more than a second",
    { body: "{{#each a}}{{#each @root.a}}{{#each @root.a}}{{/each}}{{/each}}{{/each}}", data: { a: once(items) } },
    { body: "custom" },
  ),
])

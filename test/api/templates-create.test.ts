import { expect } from "bun:test"
import { scenarios } from "../harness/scenarios.ts"
import { countingTemplates, type TemplateRow, templateFields } from "../harness/templates.ts"

const json = { "Content-Type": "application/json" }
const breakouts = ["a\nb", "a\rb", "a\r\nBcc: x@example.com", "a\u0000b", "a\u0001b", "a\u007fb", "\n"]

const creates = (name: string, fields: object, answer: object): TemplateRow => ({
  name,
  body: { ...templateFields, ...fields },
  status: 201,
  answer,
})
const refuses = (name: string, body: object, fields: Record<string, string>): TemplateRow => ({
  name,
  body: { ...templateFields, ...body },
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})
const bare = (name: string, body: unknown, field: string): TemplateRow => ({
  name,
  ...(body === undefined ? {} : { body }),
  status: 400,
  after: (_, answer) => expect(answer.body).toEqual({ error: expect.stringMatching(new RegExp(`^${field} `)) }),
})

scenarios(
  "POST /templates: a template (contract A6.2)",
  countingTemplates([
    {
      name: "has all its fields in the answer, and stays as it is answered",
      body: {
        name: " Welcome ",
        description: "For newcomers.\nTwo lines.",
        subject: "Hi {{name ?? there}} 💌",
        body: "<p>\r\n{{#if vip}}Hi{{/if}}</p>",
        text: "{{#if vip}}Hi{{/if}}\r\n",
        from: "hi@acme.test",
        fromName: 'Shop, "the" <best>',
        replyTo: "help@example.com",
        type: "TRANSACTIONAL",
      },
      status: 201,
      after: async (it, { body }) => {
        expect(body).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: " Welcome ",
          description: "For newcomers.\nTwo lines.",
          subject: "Hi {{name ?? there}} 💌",
          body: "<p>\r\n{{#if vip}}Hi{{/if}}</p>",
          text: "{{#if vip}}Hi{{/if}}\r\n",
          from: "hi@acme.test",
          fromName: 'Shop, "the" <best>',
          replyTo: "help@example.com",
          type: "TRANSACTIONAL",
          projectId: it.project.id,
          createdAt: "2026-01-31T09:15:00.000Z",
          updatedAt: "2026-01-31T09:15:00.000Z",
        })
        expect((await it.api(`GET /templates/${body.id}`)).body).toEqual(body)
      },
    },
    creates(
      "of four fields has null for the others and is MARKETING",
      {},
      {
        description: null,
        fromName: null,
        replyTo: null,
        type: "MARKETING",
      },
    ),
    creates(
      "takes null for what may be left out",
      { description: null, fromName: null, replyTo: null, type: null },
      {
        description: null,
        fromName: null,
        replyTo: null,
        type: "MARKETING",
      },
    ),
    ...["TRANSACTIONAL", "MARKETING", "HEADLESS"].map((type) => creates(`may be ${type}`, { type }, { type })),
    creates(
      "has addresses in canonical form (contract A1.2.6)",
      { from: " Hi@ACME.test ", replyTo: "Help@Bücher.Example" },
      {
        from: "hi@acme.test",
        replyTo: "help@xn--bcher-kva.example",
      },
    ),
    creates(
      "ignores what the service decides, and unknown fields (contract A1.2.3)",
      { projectId: "x", createdAt: 1, colour: "red" },
      {
        createdAt: "2026-01-31T09:15:00.000Z",
      },
    ),
    creates("may have a subject of 998 characters", { subject: "💌".repeat(998) }, { subject: "💌".repeat(998) }),
    creates("may have a body of any characters", { body: "a\u0001💌\t" }, { body: "a\u0001💌\t" }),
    creates("may have a body of 2,000,000 characters", { body: "é".repeat(2_000_000) }, {}),
    creates("may have a name of 255 characters", { name: "💌".repeat(255) }, { name: "💌".repeat(255) }),
    creates(
      "may have a description of 2,000 characters",
      { description: "💌\n".repeat(1_000) },
      { description: "💌\n".repeat(1_000) },
    ),
    creates("may have the name of another", {}, { name: "Welcome" }),
    creates("may have tabs in its names", { name: "a\tb", fromName: "a\tb" }, { name: "a\tb", fromName: "a\tb" }),
    creates(
      "may have an empty description and an empty sender name",
      { description: "", fromName: "" },
      { description: "", fromName: "" },
    ),
  ]),
)

scenarios(
  "POST /templates: bare errors (contract A1.8)",
  countingTemplates([
    bare("name the first missing field of no body", undefined, "name"),
    bare("name the first missing field of an empty body", {}, "name"),
    bare("name the subject when only the name is there", { name: "Welcome" }, "subject"),
    bare("name the body after the subject", { name: "Welcome", subject: "Hi" }, "body"),
    bare("name the sender at last", { name: "Welcome", subject: "Hi", body: "Hi" }, "from"),
    ...(["name", "subject", "body", "from"] as const).flatMap((field) =>
      [undefined, null, "", " \t\r\n"].map((value) =>
        bare(
          `name ${field} that is ${JSON.stringify(value) ?? "omitted"}`,
          { ...templateFields, [field]: value },
          field,
        ),
      ),
    ),
    bare(
      "come before all other faults",
      { ...templateFields, from: null, name: 5, subject: "a\nb", body: "{{#if}}", type: "X" },
      "from",
    ),
    {
      name: "come after the credentials",
      key: "pk",
      body: {},
      status: 401,
      code: "INVALID_API_KEY",
    },
    { name: "come after the JSON", raw: "{", headers: json, status: 400, code: "BAD_REQUEST" },
    {
      name: "are not for a body that is no object",
      raw: "[]",
      headers: json,
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { "": "invalid_type" },
    },
    refuses(
      "are not for a field of another type",
      { name: 0, subject: false, body: [], from: {} },
      {
        name: "invalid_type",
        subject: "invalid_type",
        body: "invalid_type",
        from: "invalid_type",
      },
    ),
  ]),
)

scenarios(
  "POST /templates: the shape (contract A6.2)",
  countingTemplates([
    ...breakouts.flatMap((text) => [
      refuses(`has no name ${JSON.stringify(text)}`, { name: `x${text}` }, { name: "invalid_string" }),
      refuses(`has no subject ${JSON.stringify(text)}`, { subject: `x${text}` }, { subject: "invalid_string" }),
      refuses(`has no sender name ${JSON.stringify(text)}`, { fromName: text }, { fromName: "invalid_string" }),
      refuses(
        `has no address for replies ${JSON.stringify(text)}`,
        { replyTo: `x@example.com${text}y` },
        { replyTo: "invalid_string" },
      ),
    ]),
    refuses("has no subject of 999 characters", { subject: "💌".repeat(999) }, { subject: "too_big" }),
    refuses("has no name of 256 characters", { name: "x".repeat(256) }, { name: "too_big" }),
    refuses("has no description of 2,001 characters", { description: "x".repeat(2_001) }, { description: "too_big" }),
    refuses(
      "has no name and no description of 3 MB",
      { name: "x".repeat(3_000_000), description: "x".repeat(3_000_000) },
      { name: "too_big", description: "too_big" },
    ),
    refuses("has no body of 2,000,001 characters", { body: "x".repeat(2_000_001) }, { body: "too_big" }),
    refuses("has no sender that is no address", { from: "acme.test" }, { from: "invalid_string" }),
    refuses("has no sender with a name", { from: "Shop <hi@acme.test>" }, { from: "invalid_string" }),
    refuses("has no sender that is an object", { from: { email: "hi@acme.test" } }, { from: "invalid_type" }),
    refuses("has no empty address for replies", { replyTo: "" }, { replyTo: "invalid_string" }),
    refuses("has no unknown type", { type: "NEWSLETTER" }, { type: "invalid_enum" }),
    refuses("has no type in lower case", { type: "marketing" }, { type: "invalid_enum" }),
    refuses("has no empty type", { type: "" }, { type: "invalid_enum" }),
    refuses("has no type that is an array", { type: ["MARKETING"] }, { type: "invalid_type" }),
    {
      name: "tells of all faults at once",
      body: { name: 1, subject: "a\nb", body: "x", from: "no", description: 2, fromName: true, replyTo: [], type: 3 },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: {
        name: "invalid_type",
        subject: "invalid_string",
        from: "invalid_string",
        description: "invalid_type",
        fromName: "invalid_type",
        replyTo: "invalid_type",
        type: "invalid_type",
      },
      answer: {
        error: { errors: expect.arrayContaining([expect.objectContaining({ field: "replyTo", received: "array" })]) },
      },
    },
    refuses(
      "comes before the sender's domain (contract A1.6)",
      { from: "hi@other.test", type: "X" },
      { type: "invalid_enum" },
    ),
  ]),
)

const faulty = (name: string, fields: object, field: string, line: number, column: number): TemplateRow => ({
  name,
  body: { ...templateFields, ...fields },
  status: 422,
  code: "VALIDATION_ERROR",
  fields: { [field]: "custom" },
  answer: { error: { details: { field, line, column } } },
  after: (_, { body }) => expect(body.error.errors[0].message).toContain(`ine ${line}`),
})

scenarios(
  "POST /templates: what it is made of (contract A6.2, A3.5)",
  countingTemplates([
    ...["hi@other.test", "hi@mail.acme.test"].map((from) => ({
      name: `is not from ${from}`,
      body: { ...templateFields, from },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    })),
    {
      name: "is not from a domain that waits for its verification",
      given: (it) => it.app.domains.add(it.project.id, "pending.test", { vouched: false }),
      body: { ...templateFields, from: "hi@pending.test" },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    {
      name: "is not from a domain of another project",
      given: async (it) =>
        it.app.domains.add((await it.app.projects.create("Other")).id, "theirs.test", { vouched: true }),
      body: { ...templateFields, from: "hi@theirs.test" },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    {
      name: "wants the sender's domain before the syntax (contract A1.6)",
      body: { ...templateFields, from: "hi@other.test", body: "{{#if}}" },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    faulty("has no fault in the body", { body: "<p>\n  {{#if}}</p>" }, "body", 2, 3),
    faulty("has no fault in the subject", { subject: "Hi {{name" }, "subject", 1, 4),
    faulty("has no unknown helper", { body: "<p>{{shout name}}</p>" }, "body", 1, 4),
    faulty("has no partial", { body: "a\n{{> header}}" }, "body", 2, 1),
    {
      name: "has its faults in both fields told of",
      body: { ...templateFields, subject: "{{a b}}", body: "\n{{c d}}" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { subject: "custom", body: "custom" },
      answer: { error: { details: { field: "subject", line: 1, column: 1 } } },
    },
  ]),
)

scenarios(
  "POST /templates: in the sandbox (contract A8.3.2)",
  [{ name: "any sender will do", body: { ...templateFields, from: "hi@anywhere.example" }, status: 201 }],
  { mode: "sandbox" },
)

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { idempotencyTable } from "../../src/http/table.ts"
import { cookieOf, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { addTemplate, type Scenario, scenarios } from "../harness/scenarios.ts"

const ada = "ada@example.com"
const mail = { to: ada, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const file = { filename: "a.txt", content: Buffer.from("hello").toString("base64"), contentType: "text/plain" }
const shown = { filename: "a.txt", contentType: "text/plain", size: 5, contentId: null, disposition: "attachment" }
const MB = 1_048_576
const knowsAda = (it: TestApp) => it.api("POST /v1/track", { body: { email: ada, event: "e" } })

const marketing = "0199c0de-0000-7000-8000-000000000001"

/** Accepted, and listed by the record. */
const takes = (name: string, attachments: readonly object[], stored?: readonly object[]): Scenario => ({
  name,
  body: { ...mail, attachments },
  status: 200,
  mails: 1,
  afterwards: async (it, { body }) => {
    const { body: email } = await it.api(`GET /emails/${body.data.emails[0].email}`)
    expect(email.attachments).toEqual(stored ?? attachments.map(() => shown))
  },
})
const refuses = (name: string, attachments: unknown, fields: Record<string, string>): Scenario => ({
  name,
  body: { ...mail, attachments },
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})
/** One attachment with one field wrong, or right in an unusual way. */
const faulty = (name: string, wrong: Record<string, unknown>, code: string) =>
  refuses(name, [{ ...file, ...wrong }], { [`attachments.0.${Object.keys(wrong)[0]}`]: code })
const unusual = (name: string, given: object, stored: object = given) =>
  takes(name, [{ ...file, ...given }], [{ ...shown, ...stored }])

const breakouts = ["a\nb", "a\rb", "a\r\nBcc: x@example.com", "a\u0000b", "\n"]
const base64 = (content: string, size: number) =>
  unusual(`may have the content ${JSON.stringify(content)}`, { content }, { size })

scenarios(
  "POST /v1/send: an attachment (contract A4.2)",
  [
    takes("is listed by the record", [file]),
    takes("may be none", [], []),
    takes("may have unknown fields", [{ ...file, colour: "red" }]),
    takes("may have null for what is optional", [{ ...file, contentId: null, disposition: null }]),
    refuses("is no string", ["a.txt"], { "attachments.0": "invalid_type" }),
    refuses("is not null", [file, null], { "attachments.1": "invalid_type" }),
    refuses("needs name, content and type", [file, {}], {
      "attachments.1.filename": "required",
      "attachments.1.content": "required",
      "attachments.1.contentType": "required",
    }),
    refuses("has none of them null", [{ filename: null, content: null, contentType: null }], {
      "attachments.0.filename": "required",
      "attachments.0.content": "required",
      "attachments.0.contentType": "required",
    }),

    unusual("may have a name of one character", { filename: "x" }),
    unusual("may have a name of 255 characters", { filename: "💌".repeat(255) }),
    unusual("may have a name that is a path", { filename: "../../etc/passwd" }),
    unusual("has half a surrogate pair in its name replaced", { filename: "a\ud83d.txt" }, { filename: "a\ufffd.txt" }),
    unusual("may have a name of any script", { filename: "Übersicht für 2026 – 報告書.pdf" }),
    faulty("has no empty name", { filename: "" }, "too_small"),
    faulty("has no name of 256 characters", { filename: "💌".repeat(256) }, "too_big"),
    faulty("has no name with a quote", { filename: 'a".txt' }, "invalid_string"),
    faulty("has no name that is a number", { filename: 5 }, "invalid_type"),
    ...breakouts.map((filename) => faulty(`is not named ${JSON.stringify(filename)}`, { filename }, "invalid_string")),

    base64("AA==", 1),
    base64("AA", 1),
    base64("+/+/", 3),
    base64("/w==", 1),
    faulty("is not empty", { content: "" }, "too_small"),
    ...["!", "A", "AAAAA", "AA=", "AAA==", "====", "=", "A===", "AA==AA==", "AA AA", "AAAA\n", "_-_-", "ÄÖÜß"].map(
      (content) => faulty(`has no content ${JSON.stringify(content)}`, { content }, "invalid_string"),
    ),
    faulty("has no content that is a list of bytes", { content: [104, 105] }, "invalid_type"),

    unusual("may have a type with parameters", { contentType: "text/plain; charset=utf-8" }),
    unusual("may have a type with odd characters", { contentType: "application/vnd.ms-excel.sheet+xml" }),
    unusual("may have a type of 255 characters", { contentType: `text/${"x".repeat(250)}` }),
    faulty("has no empty type", { contentType: "" }, "too_small"),
    faulty("has no type of 256 characters", { contentType: `text/${"x".repeat(251)}` }, "too_big"),
    ...["text", "text/", "/plain", "text plain", "te xt/plain", "text/plain/x", "täxt/plain", ...breakouts].map(
      (contentType) => faulty(`is not of type ${JSON.stringify(contentType)}`, { contentType }, "invalid_string"),
    ),
    faulty("has no type that breaks its line", { contentType: "text/plain\r\nX-Evil: 1" }, "invalid_string"),
    faulty("has no type that breaks its line in a parameter", { contentType: "text/plain; a=\r\nb" }, "invalid_string"),

    unusual("may be inline", { disposition: "inline", contentId: "logo@acme" }),
    unusual("may have a content id all the same", { disposition: "attachment", contentId: "logo" }),
    unusual("may have a content id of 255 characters", { contentId: "x".repeat(255) }),
    faulty("has no empty content id", { contentId: "" }, "too_small"),
    faulty("has no content id of 256 characters", { contentId: "x".repeat(256) }, "too_big"),
    ...["<logo>", "lo<go", "logo>", "lögo", "💌", "\ud83d", "lo\tgo", ...breakouts].map((contentId) =>
      faulty(`has no content id ${JSON.stringify(contentId)}`, { contentId }, "invalid_string"),
    ),
    faulty("has no other disposition", { disposition: "form-data" }, "invalid_enum"),
    faulty("has no disposition in capitals", { disposition: "INLINE" }, "invalid_enum"),
    faulty("has no disposition that is a boolean", { disposition: true }, "invalid_type"),
    refuses("is inline only with a content id", [file, { ...file, disposition: "inline" }], {
      "attachments.1.contentId": "required",
    }),
    refuses(
      "is inline only with a content id that is not null",
      [{ ...file, disposition: "inline", contentId: null }],
      {
        "attachments.0.contentId": "required",
      },
    ),
  ],
  { seed: knowsAda },
)

/** A file with this many bytes. */
const ofSize = (size: number) => ({ ...file, content: Buffer.alloc(size, 7).toString("base64") })
const many = (count: number) => Array.from({ length: count }, () => file)
const tooMuch = { attachments: "too_big" }

scenarios(
  "POST /v1/send: attachments (contract A9.10)",
  [
    takes("may be ten", many(10)),
    refuses("may not be eleven", many(11), tooMuch),
    takes("may have 10 MB", [ofSize(10 * MB)], [{ ...shown, size: 10 * MB }]),
    takes(
      "may have 10 MB together",
      [ofSize(6 * MB - 1), ofSize(4 * MB + 1)],
      [
        { ...shown, size: 6 * MB - 1 },
        { ...shown, size: 4 * MB + 1 },
      ],
    ),
    refuses("may not have a byte more", [ofSize(10 * MB + 1)], tooMuch),
    refuses("may not have a byte more together", [ofSize(6 * MB), ofSize(4 * MB), ofSize(1)], tooMuch),
  ],
  { seed: knowsAda },
)

scenarios(
  "POST /v1/send: attachments of an operator's choice (contract A8.2)",
  [
    takes("may be as many as configured", many(2)),
    refuses("may not be one more", many(3), tooMuch),
    takes("may be as large as configured", [ofSize(MB)], [{ ...shown, size: MB }]),
    refuses("may not be larger", [ofSize(MB + 1)], tooMuch),
  ],
  { seed: knowsAda, settings: { "limits.attachments": "2", "limits.attachment_mb": "1" } },
)

// 29 MB are 39.7 MB of base64 in lines, 30 MB are 41.05.
scenarios(
  "POST /v1/send: the whole message (contract A4.3.7, A9.11)",
  [
    takes("may have nearly 40 MB", [ofSize(29 * MB)], [{ ...shown, size: 29 * MB }]),
    {
      name: "may not have more, and nothing of it is stored",
      body: { ...mail, to: [ada, "new@example.com"], subscribed: false, attachments: [ofSize(30 * MB)] },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { body: "too_big" },
    },
  ],
  { seed: knowsAda, settings: { "limits.attachment_mb": "35" } },
)

describe("POST /v1/send: the files of a refused mail (contract A1.6)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
    await addTemplate(it, { id: marketing, type: "MARKETING" })
  })
  afterAll(() => it.close())

  const files = (): string[] => {
    const folder = join(it.folder, "files")
    if (!existsSync(folder)) return []
    const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    return all.flatMap((entry) => (entry.isFile() ? entry.name : []))
  }
  const json = { "Content-Type": "application/json" }
  const send = (body: object) => it.api("POST /v1/send", { body: { ...mail, ...body } })
  const with1MB = { attachments: [ofSize(MB)] }

  test.each([
    ["a body that cannot be compiled", 422, { body: "{{#if a}}" }],
    ["a subject that cannot be rendered", 422, { subject: "{{date a}}", data: { a: "no date" } }],
    ["a body that one of two recipients breaks", 422, { to: [ada, "bo@example.com"], body: "{{#if a}}" }],
    ["a sender domain that is not verified", 403, { from: "hi@elsewhere.test" }],
    ["a recipient who is not subscribed", 400, { template: marketing, from: undefined }],
    ["data of another shape", 422, { data: [] }],
  ])("are not stored for %s", async (_, status, refused) => {
    const answer = await send({ ...with1MB, ...refused })
    expect([answer.status, files()]).toEqual([status, []])
  })

  test("are removed when only the unit refuses them", async () => {
    // The key is looked for before the body is read; then another process takes it.
    const stream: UnderlyingDefaultSource<Uint8Array> = {
      async pull(body) {
        const { id: projectId } = it.project
        const row = { projectId, key: "once", request: "POST /v1/send", statusCode: 200, createdAt: it.clock.now() }
        await it.app.store.write(projectId, async ({ db }) => void (await db.insert(idempotencyTable).values(row)))
        body.enqueue(Buffer.from(JSON.stringify({ ...mail, ...with1MB })))
        body.close()
      },
    }
    const raw = new ReadableStream(stream, { highWaterMark: 0 })
    const answer = await it.api("POST /v1/send", { raw, headers: { ...json, "Idempotency-Key": "once" } })
    expect([answer.status, answer.body.error.code, files()]).toEqual([409, "IDEMPOTENCY_KEY_REUSED", []])
  })

  test("stay for another mail with the same files that is accepted at once", async () => {
    const answers = await Promise.all(
      [{ body: "{{#if a}}" }, {}, { body: "{{#if a}}" }].map((each) => send({ ...with1MB, ...each })),
    )
    expect(answers.map(({ status }) => status)).toEqual([422, 200, 422])
    expect(files().length).toBe(1)
  })
})

test("An attachment is saved by a browser under its name, also with what RFC 8187 wants encoded in one", async () => {
  const it = await startTestApp()
  const headers = { Cookie: cookieOf(await signUp(it, "owner@acme.test")) }
  const filename = "Bob's café (1)*.pdf"
  const { body } = await it.api("POST /v1/send", { body: { ...mail, attachments: [{ ...file, filename }] } })
  const path = `/app/view/${it.project.id}/emails/${body.data.emails[0].email}/attachments/0`
  const saved = await it.app.fetch(new Request(`http://localhost${path}`, { headers }))
  const [kind, name] = saved.headers.get("content-disposition")?.split("; filename*=") ?? []
  // Three parts between apostrophes, of characters that need no encoding (3.2.1).
  const [charset, language, value = ""] = /^([^']*)'([^']*)'([\w!#$&+.^`|~%-]+)$/.exec(name ?? "")?.slice(1) ?? []
  expect([kind, charset, language, decodeURIComponent(value)]).toEqual(["attachment", "UTF-8", "", filename])
  await it.close()
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"
import { createTemplate, templatesIn } from "../harness/templates.ts"

const unknown = "0199c0de-0000-7000-8000-0000000fffff"
const once = (value: unknown) => ({ value, persistent: false })

let it: TestApp
let contactId: string
beforeAll(async () => {
  it = await startTestApp()
  const data = { name: "Ada", plan: "pro", city: "Oslo", profile: { tier: "gold" }, locale: "de" }
  const { body } = await it.api("POST /v1/track", { body: { email: "ada@example.com", event: "signup", data } })
  contactId = body.data.contact
})
afterAll(() => it.close())

/** Requests a preview, and checks that it changes nothing. */
const preview = async (body: object, route = "POST /templates/preview") => {
  const before = [await countEffects(it), await templatesIn(it)] as const
  const answer = await it.api(route, { body })
  expect(gained(before[0], await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  expect(await templatesIn(it)).toBe(before[1])
  return answer
}
const shown = async (body: object, route?: string) => {
  const answer = await preview(body, route)
  expect(answer.status).toBe(200)
  return answer.body
}
/** Renders one line as subject and as body, and resolves with the subject. */
const line = async (subject: string, filling: object = {}): Promise<string> =>
  (await shown({ subject, body: "-", ...filling })).subject

describe("A preview", () => {
  test("shows subject, HTML as a document, text, and the variables used and missing", async () => {
    const answer = await preview({
      subject: "Hi {{name ?? there}} and {{nobody}}",
      body: '<p>{{name}} &amp; {{{raw}}}</p><a href="https://x.test/{{urlencode plan}}">go</a> {{profile.tier}} {{a.[b c]}} {{name}}',
      data: { name: "<Ada>", raw: "<b>bold</b>", plan: "a b" },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      subject: "Hi <Ada> and",
      html: '<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n<p>&lt;Ada&gt; &amp; <b>bold</b></p><a href="https://x.test/a%20b">go</a>   &lt;Ada&gt;\n</body>\n</html>\n',
      text: "<Ada> & bold\n\ngo (https://x.test/a%20b) <Ada>",
      variables: {
        used: ["name", "nobody", "raw", "plan", "profile.tier", "a.[b c]"],
        missing: ["nobody", "profile.tier", "a.[b c]"],
      },
    })
  })

  test("does not change a document", async () => {
    const body = "<HTML><body>{{name}}</body></HTML>"
    expect((await shown({ subject: "x", body, data: { name: "Ada" } })).html).toBe("<HTML><body>Ada</body></HTML>")
  })

  test("of empty content is empty", async () => {
    const { subject, text, variables } = await shown({ subject: "", body: "" })
    expect([subject, text, variables]).toEqual(["", "", { used: [], missing: [] }])
  })

  test("equals a message sent with the same data", async () => {
    const content = {
      subject: "{{upper name}}: {{formatNumber n 2}}",
      body: "{{#each items}}<li>{{this}} {{@index}}</li>{{/each}}{{data.plan}} {{email}} {{id}} {{subscribed}} {{locale}} {{city ?? nowhere}}",
    }
    const data = { n: once(1234.5), items: once(["a<", "b"]), plan: once("trial") }
    const seen = await shown({ ...content, data, contactId })
    const sent = await it.api("POST /v1/send", {
      body: { ...content, data, to: "ada@example.com", from: "hi@acme.test" },
    })
    const { body: email } = await it.api(`GET /emails/${sent.body.data.emails[0].email}`)
    expect([seen.subject, seen.html, seen.text]).toEqual([email.subject, email.html, email.text])
    expect(seen.subject).toBe("ADA: 1.234,50")
  })

  test("is the same every time", async () => {
    const body = { subject: "{{name}}", body: "{{#each this}}{{@key}} {{/each}}{{unsubscribeUrl}}", contactId }
    expect(await shown(body)).toEqual(await shown(body))
  })
})

describe("The data of a preview", () => {
  test("is the contact: its address, id, state, data and language", async () => {
    const subject = "{{email}} {{svc_email}} {{id}} {{svc_id}} {{subscribed}} {{name}} {{data.plan}} {{locale}}"
    expect(await line(subject, { contactId })).toBe(
      `ada@example.com ada@example.com ${contactId} ${contactId} true Ada pro de`,
    )
  })

  test.each<[string, object, string]>([
    ["plain values, over those of the contact", { plan: "free", extra: 1 }, "Ada free Oslo 1"],
    ["request-only values", { plan: once("trial"), extra: once(true) }, "Ada trial Oslo true"],
    ["null, which removes", { plan: null, city: once(null) }, "Ada - none -"],
    ["empty strings, which change nothing", { plan: "" }, "Ada pro Oslo -"],
    ["reserved keys, which vanish", { email: "x@example.com", id: "x", unsubscribeUrl: "x" }, "Ada pro Oslo -"],
  ])("may be data in addition to the contact: %s (contract A2)", async (_, data, expected) => {
    const subject = "{{name}} {{plan ?? -}} {{city ?? none}} {{extra ?? -}}"
    expect(await line(subject, { contactId, data })).toBe(expected)
    expect((await it.api(`GET /contacts/${contactId}`)).body).toMatchObject({
      data: { name: "Ada", plan: "pro", city: "Oslo" },
    })
  })

  test("is that of an unknown contact when there is none", async () => {
    const { subject, variables } = await shown({
      subject: "{{email}}|{{id}}|{{subscribed}}|{{locale}}|{{name ?? you}}",
      body: "",
    })
    expect(subject).toBe("somebody@example.com|00000000-0000-0000-0000-000000000000|true|en|you")
    expect(variables.missing).toEqual(["name"])
  })

  test.each<[string, object, string]>([
    ["that is asked for", { locale: "fr" }, "fr"],
    ["that is asked for, before that of the data", { locale: "fr", data: { locale: "de" } }, "fr"],
    ["of the data", { data: { locale: "nl" } }, "nl"],
    ["of the project, when the one asked for is unknown", { locale: "xx" }, "en"],
    ["by its base", { locale: "pt-BR" }, "pt"],
  ])("has the language %s (contract A7.5)", async (_, filling, expected) => {
    expect(await line("{{locale}}", filling)).toBe(expected)
  })

  test("has the language of the project otherwise", async () => {
    expect(await line("{{locale}}", { contactId, locale: "" })).toBe("de")
    expect(await line("{{locale}}", { contactId, data: { locale: null } })).toBe("en")
  })

  test("has invalid links", async () => {
    const names = ["unsubscribe", "subscribe", "manage"]
    const { subject, variables } = await shown({
      subject: names.map((name) => `{{${name}Url}}`).join(" "),
      body: "",
      contactId,
    })
    const links: string[] = subject.split(" ")
    expect(links.map((link) => new URL(link).pathname)).toEqual(names.map((name) => `/${name}/preview`))
    expect(variables).toEqual({ used: names.map((name) => `${name}Url`), missing: [] })
    for (const link of links)
      for (const method of ["GET", "POST"]) {
        const answer = await it.api(`${method} ${new URL(link).pathname}`, { key: "none" })
        expect([link, method, answer.status]).toEqual([link, method, 404])
      }
    expect((await it.api(`GET /contacts/${contactId}`)).body.subscribed).toBe(true)
  })
})

describe("The content of a preview", () => {
  test("is that of a template, by path or by field", async () => {
    const { id } = await createTemplate(it, { subject: "T {{name}}", body: "<p>B {{plan}}</p>", type: "HEADLESS" })
    const seen = await shown({ contactId }, `POST /templates/${id}/preview`)
    expect(seen).toMatchObject({ subject: "T Ada", text: "B pro", variables: { used: ["name", "plan"], missing: [] } })
    expect(await shown({ templateId: id.toUpperCase(), contactId })).toEqual(seen)
  })

  test("may override that of a template, field by field", async () => {
    const { id } = await createTemplate(it, { subject: "T", body: "B", type: "TRANSACTIONAL" })
    for (const route of ["POST /templates/preview", `POST /templates/${id}/preview`]) {
      const both = async (fields: object) => {
        const { subject, text } = await shown({ templateId: id, ...fields }, route)
        return [subject, text]
      }
      expect(await both({ subject: "own" })).toEqual(["own", "B"])
      expect(await both({ body: "own" })).toEqual(["T", "own"])
      expect(await both({ subject: "", body: null })).toEqual(["", "B"])
    }
  })

  test("is that of the path, not of a template in the body", async () => {
    const { id } = await createTemplate(it, { subject: "by path" })
    expect((await shown({ templateId: unknown }, `POST /templates/${id}/preview`)).subject).toBe("by path")
  })

  test("has the footer of marketing mail, like the mail (contract A7.2.3)", async () => {
    const { id } = await createTemplate(it, { type: "MARKETING", fromName: "Acme & Co" })
    const sent = await it.api("POST /v1/send", {
      body: { template: id, to: "ada@example.com", subscribed: true },
    })
    const { body: email } = await it.api(`GET /emails/${sent.body.data.emails[0].email}`)
    const seen = await shown({ contactId }, `POST /templates/${id}/preview`)
    const dead = (text: string) => text.replaceAll(/unsubscribe\/[\w.~-]+/g, "unsubscribe/preview")
    expect([seen.html, seen.text]).toEqual([dead(email.html), dead(email.text)])
    expect(seen.html).toContain("Acme &amp; Co")
    expect(seen.html).toContain("/unsubscribe/preview")
  })

  test("may be of another type, and of a sender that is not saved", async () => {
    const { id } = await createTemplate(it, { type: "MARKETING" })
    const route = `POST /templates/${id}/preview`
    expect((await shown({ contactId, type: "HEADLESS" }, route)).text).toBe("Hi Ada")
    expect((await shown({ subject: "x", body: "y" })).text).toBe("y")
    const { text } = await shown({ subject: "x", body: "y", type: "MARKETING", fromName: " Shop ", locale: "de" })
    expect(text).toStartWith("y\n\n")
    expect(text).toContain("Shop")
    expect(text).toContain("/unsubscribe/preview")
    const refused = await preview({ subject: "x", body: "y", type: "NEWS" })
    expect([refused.status, fieldsOf(refused)]).toEqual([422, { type: "invalid_enum" }])
  })

  test("does not count as use of the template", async () => {
    const { id } = await createTemplate(it)
    await shown({}, `POST /templates/${id}/preview`)
    await it.settle()
    expect((await it.api(`GET /templates/${id}/usage`)).body.emailsSent).toBe(0)
    expect(it.sent().filter(({ subject }) => subject === "Hi")).toEqual([])
  })
})

describe("A preview is refused", () => {
  const ok = { subject: "x", body: "y" }
  test.each<[string, object, Record<string, string>]>([
    ["without content", {}, { subject: "required", body: "required", templateId: "custom" }],
    ["without a body", { subject: "x" }, { body: "required", templateId: "custom" }],
    [
      "with null for content",
      { subject: null, body: "x", templateId: null },
      { subject: "required", templateId: "custom" },
    ],
    [
      "with other types",
      { subject: 1, body: {}, contactId: 2, data: [], locale: 3, templateId: true },
      {
        subject: "invalid_type",
        body: "invalid_type",
        contactId: "invalid_type",
        data: "invalid_type",
        locale: "invalid_type",
        templateId: "invalid_type",
      },
    ],
    [
      "with invalid ids",
      { ...ok, contactId: "ada", templateId: "" },
      { contactId: "invalid_string", templateId: "invalid_string" },
    ],
    ["with a subject of two lines", { ...ok, subject: "a\nb" }, { subject: "invalid_string" }],
    [
      "with too much",
      { subject: "x".repeat(999), body: "x".repeat(2_000_001) },
      { subject: "too_big", body: "too_big" },
    ],
    [
      "with data that no contact may have (contract A2.1.6)",
      { ...ok, data: { ["k".repeat(256)]: 1 } },
      { data: "too_big" },
    ],
    [
      "with faults in tags (contract A3.5)",
      { subject: "{{a b}}", body: "{{#if}}" },
      { subject: "custom", body: "custom" },
    ],
    ["with an unknown helper", { ...ok, body: "{{shout name}}" }, { body: "custom" }],
    [
      "when it grows beyond 10 MB (contract A9)",
      {
        ...ok,
        body: "{{#each a}}{{@root.s}}{{/each}}",
        data: { a: once(Array(2_000).fill(1)), s: once("x".repeat(10_000)) },
      },
      { body: "custom" },
    ],
  ])("%s", async (_, body, fields) => {
    const answer = await preview(body)
    expect([answer.status, answer.body.error.code, fieldsOf(answer)]).toEqual([422, "VALIDATION_ERROR", fields])
  })

  test("with the position of the first fault (contract A3.5)", async () => {
    const { body } = await preview({ subject: "x", body: "<p>\n  {{#if}}</p>" })
    expect(body.error.details).toEqual({ field: "body", line: 2, column: 3 })
  })

  test("for a faulty override of a template in the same way", async () => {
    const { id } = await createTemplate(it)
    const answer = await preview({ body: "{{#if}}" }, `POST /templates/${id}/preview`)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, { body: "custom" }])
  })

  test("for an unknown record, before tags are checked (contract A1.6)", async () => {
    const faulty = { subject: "x", body: "{{#if}}" }
    const noTemplate = await preview({ ...faulty, templateId: unknown })
    expect([noTemplate.status, noTemplate.body.error.code]).toEqual([404, "TEMPLATE_NOT_FOUND"])
    const noContact = await preview({ ...faulty, contactId: unknown })
    expect([noContact.status, noContact.body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"])
  })

  test("for a template and a contact of another project", async () => {
    const other = await it.app.projects.create("Other")
    const { id } = await createTemplate(it)
    for (const body of [{ templateId: id }, { subject: "x", body: "y", contactId }]) {
      const answer = await it.api("POST /templates/preview", { key: other.secret, body })
      expect(answer.status).toBe(404)
    }
  })

  test("without a secret key", async () => {
    for (const key of ["none", "pk"])
      expect((await it.api("POST /templates/preview", { key, body: ok })).status).toBe(401)
  })
})

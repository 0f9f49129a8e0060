import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { news } from "../harness/campaigns.ts"
import { createTemplate } from "../harness/templates.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi <b>{{name}}</b></p>" }

/** Sends by the API; resolves to the text part that left and to the one that is shown. */
async function textsOf(fields: object) {
  const answer = await it.api("POST /v1/send", { body: { to: mail.to, ...fields } })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return textsOfEmail(answer.body.data.emails[0].email)
}

async function textsOfEmail(id: string) {
  await it.settle()
  const message = it.sent().find((one) => one.id === id)
  const parsed = await simpleParser(Buffer.from(message?.mime() ?? []))
  return {
    left: (parsed.text ?? "").trimEnd(),
    shown: (await it.api(`GET /emails/${id}`)).body.text,
    html: message?.html ?? "",
    headers: new Map(message?.headers),
  }
}

describe("The text part that a caller gives", () => {
  test("is rendered with the variables of the body, unescaped, and shown as sent (contract A4.2, A7.2.2)", async () => {
    const text = "Hi {{name ?? there}},\n\n  {{#if vip}}you & we{{/if}}\r\nÅ"
    const { left, shown, html } = await textsOf({ ...mail, text, data: { name: "Ada <3>", vip: true } })
    expect(left).toBe("Hi Ada <3>,\n\n  you & we\nÅ")
    expect(shown).toBe("Hi Ada <3>,\n\n  you & we\r\nÅ")
    expect(html).toContain("<b>Ada &lt;3&gt;</b>")
  })

  test("is made from the HTML when it is left out or null (contract A7.2.2)", async () => {
    for (const fields of [{}, { text: null }])
      expect((await textsOf({ ...mail, ...fields, data: { name: "Bo" } })).left).toBe("Hi Bo")
  })

  test("keeps a variable that nothing else in the mail uses (contract A3.4)", async () => {
    const { left } = await textsOf({ ...mail, text: "{{code}}", data: { code: { value: "K-7", persistent: false } } })
    expect(left).toBe("K-7")
  })

  test("is refused with its line and column when it is no template, and when it is empty (contract A3.5, A4.2)", async () => {
    const bad = await it.api("POST /v1/send", { body: { ...mail, text: "Hi\n {{nope a}}" } })
    expect(bad.status).toBe(422)
    expect(bad.body.error.errors[0]).toMatchObject({ field: "text", code: "custom" })
    expect(bad.body.error.details).toEqual({ field: "text", line: 2, column: 2 })
    const empty = await it.api("POST /v1/send", { body: { ...mail, text: "" } })
    expect(empty.body.error.errors[0]).toMatchObject({ field: "text", code: "too_small" })
  })

  test("that uses the unsubscribe link adds List-Unsubscribe (contract A7.1.1)", async () => {
    const { left, headers } = await textsOf({ ...mail, text: "Leave: {{unsubscribeUrl}}" })
    expect(left).toBe(`Leave: ${headers.get("List-Unsubscribe")?.slice(1, -1)}`)
    expect((await textsOf({ ...mail, text: "Stay" })).headers.has("List-Unsubscribe")).toBe(false)
  })
})

describe("The text of a template", () => {
  test("is stored, changed, copied and cleared (contract A6)", async () => {
    const { id, text } = await createTemplate(it, { text: "Hi {{name}}" })
    expect(text).toBe("Hi {{name}}")
    expect((await it.api(`PATCH /templates/${id}`, { body: { name: "Other" } })).body.text).toBe("Hi {{name}}")
    expect((await it.api(`POST /templates/${id}/duplicate`)).body.text).toBe("Hi {{name}}")
    const bad = await it.api(`PATCH /templates/${id}`, { body: { text: "{{" } })
    expect(bad.body.error.details).toEqual({ field: "text", line: 1, column: 1 })
    expect((await it.api(`PATCH /templates/${id}`, { body: { text: null } })).body.text).toBeNull()
    expect((await createTemplate(it)).text).toBeNull()
  })

  test("is sent with its body, not with another one, and a text of the request wins (contract A4.3.9)", async () => {
    const { id: template } = await createTemplate(it, { text: "Plain {{name}}", type: "TRANSACTIONAL" })
    const data = { name: "Eve" }
    expect((await textsOf({ template, data })).left).toBe("Plain Eve")
    expect((await textsOf({ template, data, subject: "Other" })).left).toBe("Plain Eve")
    expect((await textsOf({ template, data, body: "<p>Other</p>" })).left).toBe("Other")
    expect((await textsOf({ template, data, body: "<p>Other</p>", text: "Own" })).left).toBe("Own")
  })

  test("has the footer of marketing mail in text form, with one unsubscribe link (contract A7.2.3, A7.2.4)", async () => {
    const marketing = { type: "MARKETING", fromName: "Acme" }
    const { id: plain } = await createTemplate(it, { ...marketing, text: "News" })
    const { id: linked } = await createTemplate(it, { ...marketing, text: "News\nLeave: {{unsubscribeUrl}}" })
    const first = await textsOf({ template: plain, subscribed: true })
    const url = first.headers.get("List-Unsubscribe")?.slice(1, -1) ?? ""
    expect(first.left).toMatch(/^News\n\nYou are receiving .+\nUnsubscribe \(http/)
    expect(first.left.split(url)).toHaveLength(2)
    const second = await textsOf({ template: linked, subscribed: true })
    expect(second.left).toMatch(/^News\nLeave: http\S+\n\nYou are receiving [^\n]+$/)
    expect(second.html).toContain("Unsubscribe</a>")
  })

  test("is in its preview, with the variables that it uses (contract A3.4)", async () => {
    const { id } = await createTemplate(it, { text: "Hi {{nick}}", type: "TRANSACTIONAL" })
    const saved = await it.api(`POST /templates/${id}/preview`, { body: { data: { nick: "Al" } } })
    expect(saved.body.text).toBe("Hi Al")
    expect(saved.body.variables).toEqual({ used: ["name", "nick"], missing: ["name"] })
    const changed = await it.api(`POST /templates/${id}/preview`, { body: { body: "<p>New</p>" } })
    expect(changed.body.text).toBe("New")
    const unsaved = { subject: "S", body: "<p>B</p>" }
    expect((await it.api("POST /templates/preview", { body: { ...unsaved, text: "T" } })).body.text).toBe("T")
    expect((await it.api("POST /templates/preview", { body: { ...unsaved, text: "" } })).body.text).toBe("B")
  })
})

test("the text of a campaign is copied, sent to each contact with its values, and cleared (contract B1.1, B1.3)", async () => {
  await it.api("POST /contacts", { body: { email: "kim@example.com", subscribed: true, data: { first: "Kim" } } })
  const created = await it.api("POST /campaigns", { body: { ...news, text: "Hello {{first}}", type: "HEADLESS" } })
  const { id } = created.body.data
  expect(created.body.data.text).toBe("Hello {{first}}")
  expect((await it.api(`POST /campaigns/${id}/duplicate`)).body.data.text).toBe("Hello {{first}}")
  const before = it.sent().length
  await it.api(`POST /campaigns/${id}/send`)
  await it.settle()
  const mine = it
    .sent()
    .slice(before)
    .find(({ to }) => to.address === "kim@example.com")
  expect((await textsOfEmail(mine?.id ?? "")).left).toBe("Hello Kim")
  const next = (await it.api("POST /campaigns", { body: { ...news, text: "Hello" } })).body.data
  expect((await it.api(`PUT /campaigns/${next.id}`, { body: news })).body.data.text).toBeNull()
})

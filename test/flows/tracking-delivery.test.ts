import { beforeEach, describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import { deferred, sent } from "../../src/mail/transport.ts"
import { linkTable } from "../../src/modules/emails/table.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { accept, addresses, eventsOf, fromCampaign, fromWorkflow, rowOf } from "../harness/mails.ts"
import { createTemplate } from "../harness/templates.ts"
import { pathsIn, sendTracked, setProject, visit } from "../harness/tracking.ts"

let it: TestApp
beforeEach(async () => {
  it = await appOfTest()
})

const storedLinks = async () => (await it.app.store.read.select().from(linkTable)).map(({ url }) => url).sort()

test("every attempt sends the same bytes", async () => {
  it.transport.answer = (message) => (it.sent().length < 3 ? deferred("busy") : sent(`provider-${message.id}`))
  const { id } = await sendTracked(it)
  await it.advance({ minutes: 1 })
  await it.advance({ minutes: 5 })
  expect((await rowOf(it, id)).attempt).toBe(3)
  const bytes = it.sent().map((message) => Buffer.from(message.mime()).toString("latin1"))
  expect(bytes).toHaveLength(3)
  expect(new Set(bytes).size).toBe(1)
  expect(bytes[0]).toContain("/t/c/")
})

test("the links are stored before the mail is sent", async () => {
  const seen: string[][] = []
  it.transport.answer = async (message) => {
    seen.push(await storedLinks())
    return sent(message.id)
  }
  await sendTracked(it)
  expect(seen).toEqual([["https://acme.test/one?a=1&b=2", "https://acme.test/two"]])
})

test("a mail to many stores its links once, and personal ones once for each recipient", async () => {
  const body = `<a href="https://acme.test/a">a</a> <a href="https://acme.test/b">b</a> <a href="https://acme.test/?to={{email}}">c</a>`
  const template = await createTemplate(it, { type: "MARKETING", body })
  await it.api("POST /v1/send", { body: { to: addresses(30), template: template.id, subscribed: true } })
  await it.settle()
  expect(it.sent()).toHaveLength(30)
  const own = addresses(30).map((address) => `https://acme.test/?to=${address}`)
  expect(await storedLinks()).toEqual(["https://acme.test/a", "https://acme.test/b", ...own].sort())
  const tokens = it.sent().flatMap(({ html }) => pathsIn(html, "t/c"))
  expect(new Set(tokens).size).toBe(90)
})

test("two projects with the same link store it separately", async () => {
  const other = await it.app.projects.create("Other")
  await it.app.domains.add(other.id, "other.test", { vouched: true })
  const mail = { to: "ada@example.com", subject: "Hi", body: '<a href="https://acme.test/same">x</a>' }
  await it.api("POST /v1/send", { body: { ...mail, from: "hi@acme.test" } })
  await it.api("POST /v1/send", { key: other.secret, body: { ...mail, from: "hi@other.test" } })
  await it.settle()
  const rows = await it.app.store.read.select().from(linkTable)
  expect(rows.map(({ projectId, url }) => [projectId, url]).sort()).toEqual(
    [it.project.id, other.id].map((id) => [id, "https://acme.test/same"]).sort(),
  )
})

test("a mail waiting while tracking is switched off is sent untracked", async () => {
  it.transport.answer = (message) => (it.sent().length < 2 ? deferred("busy") : sent(message.id))
  await sendTracked(it)
  await setProject(it, { tracking: "DISABLED" })
  await it.advance({ minutes: 2 })
  expect(it.sent().map(({ html }) => html.includes("/t/o/"))).toEqual([true, false])
})

describe("The footer (contract A7.2.3)", () => {
  test.each([
    ["marketing mail of a campaign", { type: "MARKETING", source: fromCampaign }, true],
    ["marketing mail of a workflow", { type: "MARKETING", source: fromWorkflow }, true],
    ["marketing mail by the API", { type: "MARKETING" }, true],
    ["headless mail of a campaign", { type: "HEADLESS", source: fromCampaign }, false],
    ["headless mail of a workflow", { type: "HEADLESS", source: fromWorkflow }, false],
    ["transactional mail of a campaign", { type: "TRANSACTIONAL", source: fromCampaign }, false],
  ] as const)("is where it belongs: %s", async (_, mail, expected) => {
    await accept(it, mail, "ada@example.com")
    await it.settle()
    const [message] = it.sent()
    expect(message?.html.includes("You are receiving this email because")).toBe(expected)
    expect(message?.text.includes("Unsubscribe (http://127.0.0.1:0/unsubscribe/")).toBe(expected)
  })

  test("names the sender of the mail, or its address", async () => {
    await accept(it, { type: "MARKETING", fromName: "The Shop & Co" }, "a@example.com")
    await accept(it, { type: "MARKETING", fromName: null }, "b@example.com")
    await it.settle()
    const [named, bare] = it.sent()
    expect(named?.html).toContain("news from The Shop &amp; Co.")
    expect(named?.text).toContain("news from The Shop & Co.")
    expect(bare?.text).toContain("news from hi@acme.test.")
  })

  test("has no second link where the body has one, but only then (contract A7.2.4)", async () => {
    const body = '{{#if vip}}<a href="{{unsubscribeUrl}}">Leave</a>{{/if}}<p>News</p>'
    const linksIn = (html: string) => html.match(/\/unsubscribe\//g)?.length
    for (const vip of [true, false]) {
      const { message } = await sendTracked(it, { body, data: { vip } })
      expect([linksIn(message.html), linksIn(message.text)]).toEqual([1, 1])
      expect(message.html.includes(">Leave</a>")).toBe(vip)
    }
  })

  test("has a link in the text where that ends before the one of the body (contract A7.2.2, A7.2.3)", async () => {
    const body = `<p>${"News ".repeat(200_001)}</p><a href="{{unsubscribeUrl}}">Leave</a>`
    const { message } = await sendTracked(it, { body })
    expect(message.html.match(/\/unsubscribe\//g)).toHaveLength(1)
    expect(message.text).toContain("\nUnsubscribe (http://127.0.0.1:0/unsubscribe/")
  })

  test("ends with the postal address of the project", async () => {
    await setProject(it, { postalAddress: "1 Main Street" })
    await accept(it, { type: "MARKETING" }, "a@example.com")
    await it.settle()
    expect(it.sent()[0]?.html).toContain("<br>1 Main Street</div>")
    expect(it.sent()[0]?.text).toEndWith("\n1 Main Street")
  })

  test("has the same link as List-Unsubscribe, and it works", async () => {
    const { message, unsubscribe, contactId } = await sendTracked(it, { body: "<p>News</p>" })
    const parsed = await simpleParser(Buffer.from(message.mime()))
    expect(parsed.headers.get("list")).toMatchObject({ unsubscribe: { url: `http://127.0.0.1:0${unsubscribe}` } })
    await visit(it, `POST ${unsubscribe}`)
    expect((await it.api(`GET /contacts/${contactId}`)).body.subscribed).toBe(false)
  })
})

test("a test message has no footer, tracking, unsubscribe link or events (contract B1.7)", async () => {
  const content = {
    projectId: it.project.id,
    language: "en",
    subject: "News",
    body: '<a href="https://acme.test">x</a> <a href="{{unsubscribeUrl}}">y</a>',
    text: null,
    from: "hi@acme.test",
    fromName: null,
    replyTo: null,
    type: "MARKETING",
  } as const
  await it.app.emails.sendTest(content, "me@example.com")
  await it.settle()
  const [message] = it.sent()
  expect(message?.headers).toContainEqual(["X-Mailstead-Test", "true"])
  expect(message?.headers.map(([name]) => name)).not.toContain("List-Unsubscribe")
  expect(message?.html).toContain('<a href="https://acme.test">x</a>')
  expect(message?.html).not.toMatch(/\/t\/|You are receiving/)
  expect(await storedLinks()).toEqual([])
})

test("in the sandbox the raw message is the sent one, the record has the untracked content (contract A4.5.4, A8.3.5)", async () => {
  const box = await appOfTest({ mode: "sandbox" })
  const answer = await box.api("POST /v1/send", {
    body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: '<a href="https://acme.test/x">x</a>' },
  })
  const [{ email: id }] = answer.body.data.emails
  await box.settle()
  const raw = await simpleParser((await box.api(`GET /emails/${id}/raw`)).body)
  expect(raw.html).toMatch(/<a href="http:\/\/127\.0\.0\.1:0\/t\/c\/[\w-]{64}">x<\/a>/)
  expect(raw.html).toMatch(/<img src="http:\/\/127\.0\.0\.1:0\/t\/o\/[\w-]{43}\.gif"/)
  const { html } = (await box.api(`GET /emails/${id}`)).body
  expect(html).toContain('<a href="https://acme.test/x">x</a>')
  expect(html).not.toContain("/t/")
})

test("an open or click reported by a provider counts like our own (contract B9.2.2)", async () => {
  const { id } = await sendTracked(it)
  await it.advance({ minutes: 1 })
  await it.app.store.write(it.project.id, async (unit) => {
    await it.app.emails.report(unit, id, { kind: "open" })
    await it.app.emails.report(unit, id, { kind: "click", link: "https://acme.test/two" })
    await it.app.emails.report(unit, id, { kind: "click", link: "https://acme.test/two" })
  })
  const at = it.clock.now()
  expect(await rowOf(it, id)).toMatchObject({ opens: 1, clicks: 2, openedAt: at, clickedAt: at, status: "CLICKED" })
  const clicks = await eventsOf(it, "email.click", id)
  expect(clicks.map(({ data }) => [data.link, data.clicks, data.isFirstClick])).toEqual([
    ["https://acme.test/two", 1, true],
    ["https://acme.test/two", 2, false],
  ])
})

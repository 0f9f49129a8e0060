import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createTransport } from "nodemailer"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let port: number

beforeAll(async () => {
  it = await startTestApp({
    mode: "sandbox",
    settings: { "smtp.submission_port": "0", "limits.requests_per_minute": "0" },
  })
  port = (await it.app.start()).smtp.submission ?? 0
})
afterAll(() => it.close())

const receive = async (message: object) => {
  await createTransport({ host: "127.0.0.1", port, auth: { user: "any", pass: it.project.secret } }).sendMail({
    from: "Ann <ann@crew.test>",
    ...message,
  })
  await it.settle()
  // The loops run too, so a job may be running that `settle` does not wait for.
  while ((await list()).data.some(({ snippet }: { snippet: string | null }) => snippet === null))
    await yieldToEventLoop()
}
const sendByApi = async (message: object) => {
  const body = { from: "hi@shop.test", body: "<p>Hello</p>", ...message }
  const { body: answer } = await it.api("POST /v1/send", { body })
  await it.settle()
  return answer.data.emails[0].email as string
}
const list = async (query = "") => (await it.api(`GET /inbox?limit=100${query && `&${query}`}`)).body
const subjects = async (search: string): Promise<string[]> =>
  (await list(`search=${encodeURIComponent(search)}`)).data.map((row: { subject: string }) => row.subject).sort()
const unread = async () => (await it.api("GET /inbox/unread")).body.unread

describe("the inbox", () => {
  test("the snippet of a message from a program is its text, also where that looks like a template (contract A4.6)", async () => {
    await receive({ to: "a@one.test", subject: "Placeholders", text: "Hello {{name}}, {{#if a}}b{{/if}}" })
    const [row] = (await list()).data
    expect(row.snippet).toBe("Hello {{name}}, {{#if a}}b{{/if}}")
    await it.api(`DELETE /emails/${row.id}`)
  })

  test("the snippet of a template has the values of names in brackets too", async () => {
    const body = "<p>Dear {{[First Name] ?? friend}} of {{place.[Home Town]}}</p>"
    const data = { "First Name": "Ada", place: { "Home Town": "Paris" } }
    const id = await sendByApi({ to: "a@one.test", subject: "Brackets", body, data })
    while ((await list()).data[0].snippet === null) await yieldToEventLoop()
    const [row] = (await list()).data
    expect(row.snippet).toBe("Dear Ada of Paris")
    await it.api(`DELETE /emails/${id}`)
  })

  test("a message to six people by SMTP is one row with its recipients (contract A4.6.1)", async () => {
    await receive({
      to: ["a@one.test", "b@one.test"],
      cc: ["Cy <c@one.test>", "d@one.test"],
      bcc: ["e@one.test", "bounce@simulator.test"],
      subject: "Six",
      text: "All of you",
    })
    const { data, total } = await list()
    expect([data.length, total]).toEqual([1, 1])
    const [row] = data
    expect(row).toMatchObject({ subject: "Six", source: "SMTP", unread: true, snippet: "All of you", campaign: null })
    expect(row.recipients.map((one: Record<string, string>) => [one.addressedBy, one.to, one.toName])).toEqual([
      ["TO", "a@one.test", null],
      ["TO", "b@one.test", null],
      ["CC", "c@one.test", "Cy"],
      ["CC", "d@one.test", null],
      ["BCC", "e@one.test", null],
      ["BCC", "bounce@simulator.test", null],
    ])
    expect((await it.api("GET /emails")).body.total).toBe(6)
    const copy = (await it.api(`GET /inbox/${row.recipients[3].id}`)).body
    expect([copy.to, copy.recipients.length]).toEqual(["d@one.test", 6])
    expect(await subjects("to:e@one.test")).toEqual(["Six"])
    expect(await subjects("is:bounced")).toEqual(["Six"])
    await it.api(`DELETE /emails/${row.id}`)
    expect((await list()).data[0].recipients).toHaveLength(5)
    await it.api(`DELETE /emails/${row.recipients[1].id}?message=true`)
    expect((await it.api("GET /emails")).body.total).toBe(0)
  })

  test("search finds words and phrases in sender, subject and text, and supports operators (contract A4.6.3)", async () => {
    await sendByApi({ to: "ada@one.test", subject: "Invoice 991", body: "<p>Please pay <b>by Friday</b></p>" })
    await sendByApi({
      to: "bo@one.test",
      from: { name: "Billing", email: "pay@shop.test" },
      subject: "Reminder",
      body: "<p>Dear {{name}}, it is late</p>",
      data: { name: "Bo Rudd" },
      attachments: [{ filename: "a.txt", content: "aGk=", contentType: "text/plain" }],
    })
    await receive({
      to: "cy@one.test",
      subject: "From the crew",
      text: "the Friday report: ok",
      attachments: [{ filename: "b.txt", content: "x" }],
    })
    expect(await subjects("friday")).toEqual(["From the crew", "Invoice 991"])
    expect(await subjects('"pay by friday"')).toEqual(["Invoice 991"])
    expect(await subjects('"by pay"')).toEqual([])
    expect(await subjects("friday ann@crew")).toEqual(["From the crew"])
    expect(await subjects("from:billing")).toEqual(["Reminder"])
    expect(await subjects("from:ada")).toEqual([])
    expect(await subjects("to:ADA subject:invoice")).toEqual(["Invoice 991"])
    expect(await subjects('subject:"voice 991"')).toEqual(["Invoice 991"])
    expect(await subjects("rudd")).toEqual(["Reminder"])
    expect(await subjects("has:attachment")).toEqual(["From the crew", "Reminder"])

    expect(await subjects("report:")).toEqual(["From the crew"])
    expect((await list("search=after:2100-01-01")).total).toBe(0)
    expect((await list("search=before:2100-01-01")).total).toBe(3)
    const [row] = (await list("search=rudd")).data
    expect([row.snippet, row.attachmentCount]).toEqual(["Dear Bo Rudd, it is late", 1])
  })

  test("search finds addresses at an international domain as people write them (contract A4.6.3)", async () => {
    const id = await sendByApi({ to: "info@müller.test", from: "hi@bücher.test", subject: "Abroad" })
    const searches = ["to:info@müller.test", "to:Müller", "from:@bücher.test", "müller.test", "to:xn--mller-kva"]
    for (const search of searches) expect(await subjects(search)).toEqual(["Abroad"])
    expect(await subjects("from:müller")).toEqual([])
    await it.api(`DELETE /emails/${id}`)
  })

  test.each([
    ['"open', "A quotation mark is not closed."],
    ["has:cheese", "has: is followed by attachment."],
    ["before:yesterday", "before: is followed by a day such as 2026-01-31."],
    ["after:2026-02-30", "after: is followed by a day such as 2026-01-31."],
    ["from:", "from: needs something after it."],
  ])("search for %s is refused with a reason (contract A4.6.3)", async (search, message) => {
    const { status, body } = await it.api(`GET /inbox?search=${encodeURIComponent(search)}`)
    expect([status, body.error.message]).toEqual([400, message])
  })

  test("the source filters the list (contract A4.6)", async () => {
    expect((await list("source=SMTP")).data.map((row: { subject: string }) => row.subject)).toEqual(["From the crew"])
    expect((await list("source=API")).total).toBe(2)
    expect((await it.api("GET /inbox?source=FAX")).status).toBe(400)
  })

  test("read marks are stored by the server and counted (contract A4.6.5)", async () => {
    const { data } = await list()
    expect(await unread()).toBe(3)
    expect((await it.api("POST /inbox/marks", { body: { id: data[1].id, read: true } })).body).toEqual({ unread: 2 })
    expect((await list("search=is:unread")).data.map(({ id }: { id: string }) => id)).toEqual([data[0].id, data[2].id])
    const unknown = { upTo: "ffffffff-0000-7000-8000-000000000000" }
    expect((await it.api("POST /inbox/read", { body: unknown })).status).toBe(404)
    expect((await it.api("POST /inbox/read", { body: { upTo: data[1].id } })).body).toEqual({ unread: 1 })
    expect((await it.api("POST /inbox/marks", { body: { id: data[2].id, read: false } })).body).toEqual({ unread: 2 })
    expect((await it.api("POST /inbox/read", { body: { upTo: null } })).body).toEqual({ unread: 0 })
    await it.api("POST /inbox/marks", { body: { id: data[1].id, read: false } })
    expect((await it.api("POST /inbox/read", { body: { upTo: data[2].id } })).body).toEqual({ unread: 1 })
    expect((await it.api("POST /inbox/read", { body: { upTo: data[1].id } })).body).toEqual({ unread: 0 })
    await sendByApi({ to: "ada@one.test", subject: "Later" })
    expect(await unread()).toBe(1)
    expect((await it.api("POST /inbox/marks", { body: { id: it.ids.next(), read: true } })).status).toBe(404)
  })

  test("a campaign is one row, and its mails are rows when they are searched for (contract A4.6.2)", async () => {
    await it.api("POST /inbox/read", { body: {} })
    for (const email of ["x@two.test", "y@two.test"])
      await it.api("POST /contacts", { body: { email, subscribed: true } })
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "email", operator: "contains", value: "@two.test" }] }],
    }
    const campaign = {
      name: "Spring",
      subject: "Spring is here",
      body: "<p>Flowers</p>",
      from: "hi@shop.test",
      type: "MARKETING",
      audienceType: "FILTERED",
      audienceCondition: condition,
    }
    const made = (await it.api("POST /campaigns", { body: campaign })).body.data
    await it.api(`POST /campaigns/${made.id}/send`, { body: {} })
    await it.advance({ minutes: 1 })
    await sendByApi({ to: "ada@one.test", subject: "After it" })
    const { data, total } = await list()
    expect(data.slice(0, 2).map((row: { subject: string }) => row.subject)).toEqual(["After it", "Spring is here"])
    expect(data[1].campaign).toEqual({ id: made.id, name: "Spring", mails: 2 })
    expect(total).toBe(data.length)
    expect(await unread()).toBe(2)
    const first = await it.api("GET /inbox?limit=1")
    expect((await it.api(`GET /inbox?limit=1&cursor=${first.body.cursor}`)).body.data[0].id).toBe(data[1].id)
    expect((await list("source=CAMPAIGN")).total).toBe(1)
    const mails = (await list("search=flowers")).data
    expect(mails.map((row: { to: string }) => row.to).sort()).toEqual(["x@two.test", "y@two.test"])
    const shown = (await it.api(`GET /inbox/${data[1].id}`)).body
    expect([shown.newer, shown.older]).toEqual([data[0].id, data[2].id])
    await it.api("POST /inbox/marks", { body: { id: mails[0].id, read: true } })
    expect((await list()).data[1].unread).toBe(false)
    expect(await unread()).toBe(1)

    expect((await it.api(`DELETE /campaigns/${made.id}`)).status).toBe(200)
    await it.settle()
    const rows = (await list()).data.slice(1, 3)
    expect(rows.map((row: { to: string; unread: boolean }) => [row.to, row.unread])).toEqual([
      ["y@two.test", false],
      ["x@two.test", false],
    ])
    expect(await unread()).toBe(1)
  })

  test("a campaign that is read by its place is read with all of its mails, and leaves them read (contract A4.6.5)", async () => {
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "email", operator: "contains", value: "@two.test" }] }],
    }
    const content = { name: "Summer", subject: "Summer is here", body: "<p>Sun</p>", from: "hi@shop.test" }
    const campaign = { ...content, audienceType: "FILTERED", audienceCondition: condition }
    const made = (await it.api("POST /campaigns", { body: campaign })).body.data
    await it.api(`POST /campaigns/${made.id}/send`, { body: {} })
    await it.advance({ minutes: 1 })
    // The loops run too, so the campaign may still be sent.
    while ((await it.api(`GET /campaigns/${made.id}`)).body.data.status !== "SENT") await it.advance({ seconds: 5 })
    const [, first] = (await list("search=summer")).data
    expect((await it.api("POST /inbox/read", { body: { upTo: first.id } })).body).toEqual({ unread: 0 })
    expect((await list("search=summer")).data.map((row: { unread: boolean }) => row.unread)).toEqual([false, false])
    expect((await list(`search=${encodeURIComponent("summer is:unread")}`)).total).toBe(0)
    await it.api(`DELETE /contacts/${first.contactId}`)
    await it.settle()
    const [row, before] = (await list()).data
    expect([row.campaign.mails, row.unread, await unread()]).toEqual([1, false, 0])
    await it.api("POST /inbox/marks", { body: { id: row.id, read: false } })
    expect((await it.api("POST /inbox/read", { body: { upTo: before.id } })).body).toEqual({ unread: 1 })
    await it.api("POST /inbox/marks", { body: { id: row.id, read: true } })
    await it.api(`DELETE /campaigns/${made.id}`)
    await it.settle()
    expect(await unread()).toBe(0)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { iso } from "../../src/kernel/clock.ts"
import { linkTable } from "../../src/modules/emails/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { eventsOf, rowOf, send } from "../harness/mails.ts"
import { countEffects, gained } from "../harness/scenarios.ts"
import { sendTracked, setProject, type TrackedMail, visit } from "../harness/tracking.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

describe("What is tracked (contract A7.3.1, A7.3.2)", () => {
  test.each([
    ["ENABLED", "MARKETING", true],
    ["ENABLED", "HEADLESS", true],
    ["ENABLED", "TRANSACTIONAL", true],
    ["MARKETING_ONLY", "MARKETING", true],
    ["MARKETING_ONLY", "HEADLESS", true],
    ["MARKETING_ONLY", "TRANSACTIONAL", false],
    ["DISABLED", "MARKETING", false],
    ["DISABLED", "HEADLESS", false],
    ["DISABLED", "TRANSACTIONAL", false],
  ] as const)("with %s, mail of type %s: %p", async (tracking, type, expected) => {
    await setProject(it, { tracking })
    const { image, clicks, message } = await sendTracked(it, { type })
    expect([image !== undefined, clicks.length]).toEqual(expected ? [true, 2] : [false, 0])
    expect(message.html.includes("https://acme.test/two")).toBe(!expected)
    await setProject(it, { tracking: "ENABLED" })
  })

  test("mail without a template is tracked like transactional mail", async () => {
    const [id = ""] = await send(it, "inline@example.com")
    await it.settle()
    expect(it.sent().find((one) => one.id === id)?.html).toMatch(/<img src="[^"]+\/t\/o\/[^"]+\.gif"/)
  })

  test("the hosted pages are linked directly, in the body or in the footer", async () => {
    const { message, unsubscribe, subscribe, manage } = await sendTracked(it)
    for (const path of [unsubscribe, subscribe, manage]) expect(path).toMatch(/^\/[a-z]+\/[\w-]{64}$/)
    expect(message.html.match(/\/unsubscribe\//g)).toHaveLength(1)
    const plain = await sendTracked(it, { body: "<p>News</p>" })
    expect(plain.unsubscribe).toMatch(/^\/unsubscribe\/[\w-]{64}$/)
  })

  test("the image is before the last </body>, after the footer", async () => {
    const { message } = await sendTracked(it, { body: "<html><body><p>Hi</p></body></html>" })
    expect(message.html).toMatch(/<p>Hi<\/p><div lang="en".*<\/div>\n<img src="[^"]+\.gif"[^>]*>\n<\/body><\/html>$/)
  })

  test("the text part contains the original links", async () => {
    const { text } = (await sendTracked(it)).message
    expect(text).toContain("One (https://acme.test/one?a=1&b=2)")
    expect(text).not.toContain("/t/")
  })

  test("GET /emails/{id} shows the message with its footer, before tracking (contract A4.5.4)", async () => {
    const { id, message } = await sendTracked(it)
    const { html, text } = (await it.api(`GET /emails/${id}`)).body
    expect(html).not.toContain("/t/")
    expect(html).toContain('href="https://acme.test/one?a=1&amp;b=2"')
    expect(html).toContain("subscribed to news from Acme")
    expect(text).toBe(message.text)
  })

  test("messages share their links", async () => {
    const before = await it.app.store.read.$count(linkTable)
    for (const to of ["a@example.com", "b@example.com"])
      await sendTracked(it, {
        to,
        body: '<a href="https://acme.test/shared">x</a> <a href="https://acme.test/own">y</a>',
      })
    expect((await it.app.store.read.$count(linkTable)) - before).toBe(2)
    const [row] = await it.app.store.read.select().from(linkTable).where(eq(linkTable.url, "https://acme.test/shared"))
    expect(row?.projectId).toBe(it.project.id)
  })
})

describe("GET /t/o/{token}.gif and /t/c/{token} (contract A7.3.3)", () => {
  let mail: TrackedMail
  beforeEach(async () => {
    mail = await sendTracked(it)
    await it.advance({ minutes: 5 })
  })

  test("an open is an image that must not be cached, and counts", async () => {
    const before = await countEffects(it)
    const { status, headers, body } = await visit(it, `GET ${mail.image}`)
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([200, "image/gif", "no-store"])
    expect(body).toStartWith("GIF89a")
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: { "email.open": 1 }, mails: 0, contacts: 0 })
    const at = it.clock.now()
    expect(await rowOf(it, mail.id)).toMatchObject({
      opens: 1,
      clicks: 0,
      openedAt: at,
      clickedAt: null,
      status: "OPENED",
    })
  })

  test("a click redirects to the stored link and counts, but not as an open", async () => {
    const before = await countEffects(it)
    const { status, headers } = await visit(it, `GET ${mail.clicks[0]}`)
    expect([status, headers.get("location")]).toEqual([302, "https://acme.test/one?a=1&b=2"])
    expect(headers.get("cache-control")).toBe("no-store")
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: { "email.click": 1 }, mails: 0, contacts: 0 })
    const at = it.clock.now()
    expect(await rowOf(it, mail.id)).toMatchObject({
      opens: 0,
      clicks: 1,
      openedAt: null,
      clickedAt: at,
      status: "CLICKED",
    })
  })

  test("every hit counts and causes an event with the data of the contract; times are those of the first (contract B4.4.3, B4.4.4)", async () => {
    const first = it.clock.now()
    for (const _ of [1, 2]) {
      await visit(it, `GET ${mail.image}`)
      await visit(it, `GET ${mail.clicks[1]}`)
      await it.advance({ hours: 1 })
    }
    const base = {
      subject: "Hi ",
      from: "hi@acme.test",
      fromName: "Acme",
      messageId: `${mail.id}@acme.test`,
      emailId: mail.id,
      templateId: expect.any(String),
      campaignId: null,
      sourceType: "TRANSACTIONAL",
    }
    const second = iso(first + 3_600_000)
    const opens = await eventsOf(it, "email.open", mail.id)
    expect(opens.map(({ data }) => data)).toEqual([
      { ...base, subject: expect.any(String), openedAt: iso(first), opens: 1, isFirstOpen: true },
      { ...base, subject: expect.any(String), openedAt: second, opens: 2, isFirstOpen: false },
    ])
    const link = "https://acme.test/two"
    const clicks = await eventsOf(it, "email.click", mail.id)
    expect(clicks.map(({ data }) => data)).toEqual([
      { ...base, subject: expect.any(String), link, clickedAt: iso(first), clicks: 1, isFirstClick: true },
      { ...base, subject: expect.any(String), link, clickedAt: second, clicks: 2, isFirstClick: false },
    ])
    expect(clicks.map(({ contactId }) => contactId)).toEqual([mail.contactId, mail.contactId])
    expect((await it.api(`GET /emails/${mail.id}`)).body).toMatchObject({
      opens: 2,
      clicks: 2,
      openedAt: iso(first),
      clickedAt: iso(first),
      status: "CLICKED",
    })
  })

  test("an open after a click does not change the status", async () => {
    await visit(it, `GET ${mail.clicks[0]}`)
    await visit(it, `GET ${mail.image}`)
    await it.settle()
    expect(await rowOf(it, mail.id)).toMatchObject({ opens: 1, clicks: 1, status: "CLICKED" })
  })

  test("HEAD gives the same response and counts nothing", async () => {
    const before = await countEffects(it)
    const image = await visit(it, `HEAD ${mail.image}`)
    const click = await visit(it, `HEAD ${mail.clicks[0]}`)
    expect([image.status, image.headers.get("content-type"), image.body]).toEqual([200, "image/gif", undefined])
    expect(image.headers.get("content-length")).toBe("42")
    expect([click.status, click.headers.get("location")]).toEqual([302, "https://acme.test/one?a=1&b=2"])
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    expect((await visit(it, "HEAD /t/c/none")).status).toBe(404)
  })

  test("an invalid token gives the image, or an error page; neither counts", async () => {
    const before = await countEffects(it)
    const [token = ""] = (mail.image ?? "").split("/").slice(-1)
    const bent = `${token[0] === "A" ? "B" : "A"}${token.slice(1)}`
    const click = mail.clicks[0]?.split("/").at(-1) ?? ""
    const page = mail.unsubscribe.split("/").at(-1) ?? ""
    for (const file of [
      bent,
      "x.gif",
      "x",
      `${click}.gif`,
      `${page}.gif`,
      token.replace(".gif", ""),
      "%00.gif",
      `${"x".repeat(9_000)}.gif`,
    ]) {
      const { status, headers } = await visit(it, `GET /t/o/${file}`)
      expect([file, status, headers.get("content-type")]).toEqual([file, 200, "image/gif"])
    }
    for (const bad of ["x", `A${click.slice(1)}`, `${click}A`, page, token, "%00"]) {
      if (bad === click) continue
      const { status, headers, body } = await visit(it, `GET /t/c/${bad}`)
      expect([bad, status, headers.get("content-type")]).toEqual([bad, 404, "text/html; charset=utf-8"])
      expect(body).toContain("This link does not work")
    }
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test.each(["POST", "PUT", "DELETE"])("%s is 404", async (method) => {
    const { status, body } = await visit(it, `${method} ${mail.clicks[0]}`)
    expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  test("a link of a deleted mail still redirects, and is not counted", async () => {
    await it.api(`DELETE /contacts/${mail.contactId}`)
    const before = await countEffects(it)
    expect((await visit(it, `GET ${mail.clicks[0]}`)).headers.get("location")).toBe("https://acme.test/one?a=1&b=2")
    expect((await visit(it, `GET ${mail.image}`)).status).toBe(200)
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    expect(it.complaints).toEqual([])
  })

  test("mail of a disabled project is still tracked (contract B9.4.5)", async () => {
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await visit(it, `GET ${mail.image}`)
    expect((await visit(it, `GET ${mail.clicks[0]}`)).status).toBe(302)
    await it.settle()
    expect(await rowOf(it, mail.id)).toMatchObject({ opens: 1, clicks: 1 })
    await it.app.projects.setDisabled(it.project.id, null)
  })

  test("there is no rate limit, but a request loop is not counted without bound", async () => {
    for (let burst = 0; burst < 6; burst++)
      await Promise.all(Array.from({ length: 200 }, () => visit(it, `GET ${mail.image}`)))
    expect((await visit(it, `GET ${mail.image}`)).status).toBe(200)
    await it.settle()
    expect((await rowOf(it, mail.id)).opens).toBe(1_000)
    await it.advance({ minutes: 1 })
    await visit(it, `GET ${mail.image}`)
    await it.settle()
    expect((await rowOf(it, mail.id)).opens).toBe(1_001)
  })
})

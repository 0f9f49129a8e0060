import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { textsIn } from "../../src/mail/locales/index.ts"
import { languages } from "../../src/mail/render/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { rowOf } from "../harness/mails.ts"
import { countEffects, gained, storedEvents } from "../harness/scenarios.ts"
import { sendTracked, setProject, submit, type TrackedMail, visit } from "../harness/tracking.ts"

let it: TestApp
let mail: TrackedMail
let count = 0
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())
beforeEach(async () => {
  mail = await sendTracked(it, { to: `reader${++count}@example.com` })
})

const subscribed = async (): Promise<boolean> => (await it.api(`GET /contacts/${mail.contactId}`)).body.subscribed
const oneClick = { "List-Unsubscribe": "One-Click" }

/** The subscription events of the contact, oldest first. */
const flips = async () =>
  (await storedEvents(it))
    .filter(({ contactId, name }) => contactId === mail.contactId && name.startsWith("contact."))
    .map(({ name, data }) => [name, data])

describe("GET (contract A7.4)", () => {
  test.each(["unsubscribe", "subscribe", "manage"] as const)("/%s shows a form and changes nothing", async (kind) => {
    const before = await countEffects(it)
    const { status, headers, body } = await visit(it, `GET ${mail[kind]}`)
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(body).toMatch(/<form method="post"[^>]*>.*<button[^>]*>[^<]+<\/button>\s*<\/form>/s)
    await it.settle()
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    expect(await subscribed()).toBe(true)
    const head = await visit(it, `HEAD ${mail[kind]}`)
    expect([head.status, head.body]).toEqual([200, undefined])
  })

  test("is not cached or indexed, and loads nothing", async () => {
    const { headers, body } = await visit(it, `GET ${mail.manage}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "x-content-type-options": "nosniff",
    })
    expect(headers.get("set-cookie")).toBeNull()
    const policy = headers.get("content-security-policy")?.split("; ") ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? ""
    const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64")
    expect(policy).toContain(`style-src 'sha256-${hash}'`)
    expect(body).not.toMatch(/<script|src=|https?:|url\(|style=|@import/)
  })

  test("shows the sender, and a masked address", async () => {
    for (const path of [mail.unsubscribe, mail.manage]) {
      const { body } = await visit(it, `GET ${path}`)
      expect(body).toContain("<bdi>Acme</bdi>")
      expect(body).toContain("<bdi>r•••@example.com</bdi>")
      expect(body).not.toContain(`reader${count}`)
    }
  })

  test("shows the present state", async () => {
    expect((await visit(it, `GET ${mail.unsubscribe}`)).body).toContain("Do you want to unsubscribe?")
    expect((await visit(it, `GET ${mail.subscribe}`)).body).toContain("You are subscribed")
    await submit(it, mail.unsubscribe)
    expect((await visit(it, `GET ${mail.unsubscribe}`)).body).toContain("You are unsubscribed")
    expect((await visit(it, `GET ${mail.subscribe}`)).body).toContain("Do you want to subscribe?")
    expect((await visit(it, `GET ${mail.manage}`)).body).toMatch(/value="false" required checked/)
  })

  test("an address at a domain in other letters is shown in those", async () => {
    mail = await sendTracked(it, { to: "reader@bücher.example" })
    expect((await visit(it, `GET ${mail.unsubscribe}`)).body).toContain("<bdi>r•••@bücher.example</bdi>")
  })

  test("a name that looks like HTML is escaped", async () => {
    await setProject(it, { name: `<b>A&"{address}</b>` })
    const { body } = await visit(it, `GET ${mail.unsubscribe}`)
    expect(body).toContain("<bdi>&lt;b&gt;A&amp;&quot;{address}&lt;/b&gt;</bdi>")
    expect(body).not.toContain("<b>")
    await setProject(it, { name: "Acme" })
  })

  test("a name that ends with a full stop ends its sentence", async () => {
    await setProject(it, { name: "Acme B.V.", language: "nl" })
    const { body } = await visit(it, `GET ${mail.subscribe}`)
    expect(body).toContain("nieuws van <bdi>Acme B.V.</bdi> Je kunt")
    await setProject(it, { name: "Acme", language: "en" })
  })
})

describe("POST /unsubscribe/{token}", () => {
  const form = new FormData()
  form.set("List-Unsubscribe", "One-Click")
  const other = new FormData()
  other.set("file", new File(["x"], "x.txt"))
  const typed = (type: string) => ({ headers: { "Content-Type": type } })
  test.each([
    ["the button of the page", {}, "link"],
    ["another field", { raw: "a=b", ...typed("application/x-www-form-urlencoded") }, "link"],
    [
      "one click (RFC 8058)",
      { raw: "List-Unsubscribe=One-Click", ...typed("application/x-www-form-urlencoded") },
      "one_click",
    ],
    [
      "one click, with a charset",
      { raw: "List-Unsubscribe=One-Click&a=b", ...typed("application/x-www-form-urlencoded; charset=UTF-8") },
      "one_click",
    ],
    ["one click, as multipart", { raw: form }, "one_click"],
    ["a file, as multipart", { raw: other }, "link"],
    ["broken multipart", { raw: "--x\r\nnonsense", ...typed("multipart/form-data; boundary=x") }, "link"],
    ["one click in a body that is no form", { raw: "List-Unsubscribe=One-Click", ...typed("text/plain") }, "link"],
    ["invalid JSON", { raw: "{", ...typed("application/json") }, "link"],
  ] as const)("by %s", async (_, call, reason) => {
    const before = await countEffects(it)
    const { status, headers, body } = await visit(it, `POST ${mail.unsubscribe}`, call)
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(body).toContain("You are unsubscribed")
    expect(await subscribed()).toBe(false)
    expect(gained(before, await countEffects(it)).events).toEqual({ "contact.unsubscribed": 1 })
    expect(await flips()).toEqual([["contact.unsubscribed", { reason }]])
  })

  test("again is 200 again, without another event", async () => {
    await submit(it, mail.unsubscribe, oneClick)
    const before = await countEffects(it)
    for (const fields of [oneClick, {}]) expect((await submit(it, mail.unsubscribe, fields)).status).toBe(200)
    expect(gained(before, await countEffects(it)).events).toEqual({})
  })

  test("many times concurrently is one change", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(it, mail.unsubscribe, oneClick)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await flips()).toEqual([["contact.unsubscribed", { reason: "one_click" }]])
  })

  test("is recorded with the mail of the link, the first time (contract B1.1.5)", async () => {
    const at = it.clock.now()
    const other = await sendTracked(it, { to: `reader${count}@example.com` })
    await submit(it, mail.unsubscribe)
    await it.advance({ minutes: 1 })
    await submit(it, mail.subscribe)
    await submit(it, mail.manage, { subscribed: "false" })
    expect((await rowOf(it, mail.id)).unsubscribedAt).toBe(at)
    expect((await rowOf(it, other.id)).unsubscribedAt).toBeNull()
  })

  test("for a contact who unsubscribed by other means is not recorded", async () => {
    await it.api(`PATCH /contacts/${mail.contactId}`, { body: { subscribed: false } })
    await submit(it, mail.unsubscribe)
    expect((await rowOf(it, mail.id)).unsubscribedAt).toBeNull()
    expect(await flips()).toEqual([["contact.unsubscribed", { reason: "api" }]])
  })

  test("with a body larger than any form is 413 and changes nothing", async () => {
    const { status } = await visit(it, `POST ${mail.unsubscribe}`, { raw: "x".repeat(60 * 1024) })
    expect([status, await subscribed()]).toEqual([413, true])
  })
})

test("POST /subscribe/{token} subscribes, once", async () => {
  await submit(it, mail.unsubscribe)
  const { status, body } = await submit(it, mail.subscribe)
  expect([status, await subscribed()]).toEqual([200, true])
  expect(body).toContain("You are subscribed")
  expect((await submit(it, mail.subscribe)).status).toBe(200)
  expect(await flips()).toEqual([
    ["contact.unsubscribed", { reason: "link" }],
    ["contact.subscribed", {}],
  ])
})

describe("POST /manage/{token}", () => {
  test("stores the choice", async () => {
    for (const [choice, events] of [
      ["false", 1],
      ["false", 1],
      ["true", 2],
      ["true", 2],
    ] as const) {
      const { status, body } = await submit(it, mail.manage, { subscribed: choice })
      expect([status, await subscribed(), (await flips()).length]).toEqual([200, choice === "true", events])
      expect(body).toContain("Your choice has been saved.")
      expect(body).toContain(`value="${choice}" required checked`)
    }
    expect((await flips())[0]).toEqual(["contact.unsubscribed", { reason: "link" }])
  })

  test("accepts multipart too", async () => {
    const form = new FormData()
    form.set("subscribed", "false")
    expect((await visit(it, `POST ${mail.manage}`, { raw: form })).status).toBe(200)
    expect(await subscribed()).toBe(false)
  })

  test.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["an empty choice", { subscribed: "" }],
    ["another one", { subscribed: "yes" }],
    ["another spelling", { subscribed: "False" }],
    ["one click", oneClick],
  ])("with %s is 400, with the form again", async (_, fields) => {
    const { status, headers, body } = await submit(it, mail.manage, fields)
    expect([status, headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"])
    expect(body).toContain("Please choose one of the two answers.")
    expect(body).toContain('<form method="post">')
    expect([await subscribed(), await flips()]).toEqual([true, []])
  })
})

describe("A token", () => {
  const kinds = ["unsubscribe", "subscribe", "manage"] as const

  test("is valid for one kind of page", async () => {
    for (const made of kinds)
      for (const asked of kinds) {
        const path = `/${asked}/${mail[made].split("/").at(-1)}`
        const fields = { subscribed: "false" }
        const statuses = [(await visit(it, `GET ${path}`)).status, (await submit(it, path, fields)).status]
        expect([made, asked, ...statuses]).toEqual([made, asked, ...(made === asked ? [200, 200] : [404, 404])])
      }
    const click = mail.clicks[0]?.split("/").at(-1)
    for (const kind of kinds) expect((await visit(it, `GET /${kind}/${click}`)).status).toBe(404)
  })

  test.each(kinds)("that is invalid is 404 at /%s, by GET and by POST, a page", async (kind) => {
    const token = mail[kind].split("/").at(-1) ?? ""
    for (const bad of ["preview", "x", `${token}A`, token.slice(1), "%00", "A".repeat(64), "A".repeat(9_000)]) {
      const [shown, sent] = [
        await visit(it, `GET /${kind}/${bad}`),
        await submit(it, `/${kind}/${bad}`, { subscribed: "true" }),
      ]
      expect([bad, shown.status, sent.status]).toEqual([bad, 404, 404])
      expect(shown.body).toContain("<h1>This link does not work</h1>")
      expect(shown.headers.get("cache-control")).toBe("no-store")
    }
  })

  test("of a deleted contact: GET 404, POST 200", async () => {
    await it.api(`DELETE /contacts/${mail.contactId}`)
    const before = await countEffects(it)
    for (const kind of kinds) {
      expect((await visit(it, `GET ${mail[kind]}`)).status).toBe(404)
      const { status, body } = await submit(it, mail[kind], { ...oneClick, subscribed: "true" })
      expect([kind, status]).toEqual([kind, 200])
      expect(body).toContain("This address is no longer on the list")
    }
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test("remains valid after its mail is deleted", async () => {
    await it.advance({ days: 4_000 })
    expect((await submit(it, mail.unsubscribe)).status).toBe(200)
    expect(await subscribed()).toBe(false)
  })
})

test("needs no key or cookie, and has no rate limit", async () => {
  for (const call of [{ key: "sk" }, { key: "sk_wrong" }, { headers: { Cookie: "mailstead_session=x" } }])
    expect((await visit(it, `GET ${mail.manage}`, call)).status).toBe(200)
  const { headers } = await visit(it, `POST ${mail.unsubscribe}`, { headers: { Origin: "https://evil.test" } })
  expect([headers.get("ratelimit-limit"), headers.get("access-control-allow-origin")]).toEqual([null, null])
})

test("pages of a disabled project still work (contract B9.4.5)", async () => {
  await it.app.projects.setDisabled(it.project.id, "MANUAL")
  expect((await visit(it, `GET ${mail.unsubscribe}`)).status).toBe(200)
  expect((await submit(it, mail.unsubscribe)).status).toBe(200)
  await it.app.projects.setDisabled(it.project.id, null)
  expect(await subscribed()).toBe(false)
})

test("a trailing slash or a query changes neither the page nor the targets of its forms", async () => {
  await submit(it, mail.unsubscribe)
  const leads = async (path: string) => {
    const { body } = await visit(it, `GET ${path}`)
    return new URL(/action="([^"]+)"/.exec(body)?.[1] ?? "", `http://localhost${path}`).pathname
  }
  expect(await leads(mail.unsubscribe)).toBe(mail.subscribe)
  for (const suffix of ["/", "?utm_source=x", "/?utm_source=x"])
    expect(await leads(`${mail.unsubscribe}${suffix}`)).toBe(mail.subscribe)
})

describe("The language (contract A7.5)", () => {
  test.each(languages.map((language) => [language] as const))("is the contact's: %s", async (language) => {
    const reader = await sendTracked(it, { to: `${language}@example.com`, data: { locale: language } })
    const texts = textsIn[language]
    const ask = await visit(it, `GET ${reader.unsubscribe}`)
    expect(ask.headers.get("content-language")).toBe(language)
    expect(ask.body).toContain(`<html lang="${language}" dir="ltr">`)
    expect(ask.body).toContain(`<h1>${Bun.escapeHTML(texts.askUnsubscribe)}</h1>`)
    expect((await submit(it, reader.unsubscribe)).body).toContain(Bun.escapeHTML(texts.subscribeAgain))
    const refused = await submit(it, reader.manage)
    expect([refused.status, refused.body.includes(Bun.escapeHTML(texts.chooseOne))]).toEqual([400, true])
    const { message } = await sendTracked(it, { to: `${language}@example.com`, body: "<p>News</p>" })
    expect(message.html).toContain(Bun.escapeHTML(texts.unsubscribe))
    expect(message.text).toContain(texts.footer.replace("{sender}", "Acme"))
  })

  test("is otherwise the project's, also by its base language", async () => {
    const plain = await sendTracked(it, { to: "plain@example.com", data: { locale: 7 } })
    const regional = await sendTracked(it, { to: "regional@example.com", data: { locale: "pt-BR" } })
    await setProject(it, { language: "sv" })
    const languageOf = async (path: string) => (await visit(it, `GET ${path}`)).headers.get("content-language")
    expect([await languageOf(plain.manage), await languageOf(regional.manage)]).toEqual(["sv", "pt"])
    await setProject(it, { language: "en" })
  })

  test.each([
    ["sv-SE,sv;q=0.9,en;q=0.8", "sv"],
    ["xx, en;q=0.1, cs;q=0.5", "cs"],
    ["de;q=0, fr", "fr"],
    ["zh-HK", "zh-HK"],
    ["", "en"],
    ["x".repeat(20_000), "en"],
  ])("is the browser's when the contact is unknown: %#", async (header, language) => {
    const { status, headers } = await visit(it, "GET /manage/x", { headers: { "Accept-Language": header } })
    expect([status, headers.get("content-language")]).toEqual([404, language])
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { contentTable, emailTable } from "../../src/modules/emails/table.ts"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

const linkIn = (text: string): { page: string; token: string } => {
  const [, page = "", token = ""] = /\/app\/(\w+)\?token=([\w-]+)/.exec(text) ?? []
  return { page, token }
}

describe("With a sender, mail of the service (contract B8.1.3)", () => {
  let it: TestApp
  let owner: Browser
  let ada: Browser

  beforeAll(async () => {
    it = await startTestApp({
      settings: {
        "system_mail.from": "Mailstead <post@acme.test>",
        "http.base_url": "https://mail.acme.test",
        "mail.url": "smtp://relay.acme.test",
      },
    })
    owner = await signUp(it, "owner@acme.test")
  })
  afterAll(() => it.close())

  const latest = () => {
    const message = it.sent().at(-1)
    if (message === undefined) throw new Error("Nothing was sent.")
    return message
  }
  const refused = async (browser: Browser, route: string) => {
    const { status, body } = await browser.api(route, { body: route.startsWith("POST") ? { name: "Mine" } : undefined })
    return [status, body?.error?.code]
  }

  test("is not sent to the first account, which is confirmed", async () => {
    await it.settle()
    expect(it.sent()).toEqual([])
    expect((await owner.api("GET /users/@me")).body.emailVerified).toBe(true)
  })

  test("is sent to a new account, in the language of its browser, with a link of the public URL", async () => {
    ada = newBrowser(it)
    await ada.api("POST /auth/signup", {
      body: { email: "ada@example.com", password },
      headers: { "Accept-Language": "ja;q=0.1, de-AT;q=0.9", Origin: "https://mail.acme.test" },
    })
    await it.settle()
    const message = latest()
    expect(message).toMatchObject({
      from: { name: "Mailstead", address: "post@acme.test" },
      to: { address: "ada@example.com" },
      subject: "Bestätigen Sie Ihre Adresse",
      stream: "transactional",
    })
    expect(message.headers.map(([name]) => name)).not.toContain("List-Unsubscribe")
    expect(message.headers).toContainEqual(["Auto-Submitted", "auto-generated"])
    expect(message.html).toContain('<html lang="de">')
    for (const text of [message.html, message.text])
      expect(text).toMatch(/https:\/\/mail\.acme\.test\/app\/verify\?token=[\w-]{43}/)
    expect(message.html).not.toMatch(/\/t\/[oc]\//)
    expect(message.html).not.toContain("{{")
  })

  test("must be confirmed before the account can be used, except to confirm it", async () => {
    for (const route of [
      "POST /users/@me/projects",
      "GET /users/@me/projects",
      `GET /projects/${it.project.id}/members`,
    ])
      expect([route, ...(await refused(ada, route))]).toEqual([route, 403, "EMAIL_VERIFICATION_REQUIRED"])
    expect((await ada.api("GET /users/@me")).body).toMatchObject({ emailVerified: false, type: "USER" })
    expect((await ada.api("GET /auth/sessions")).status).toBe(200)
  })

  test("lets the account be used once its link is followed, which works once", async () => {
    const { page, token } = linkIn(latest().text)
    expect(page).toBe("verify")
    expect((await newBrowser(it).api("POST /auth/verify-email", { body: { token } })).status).toBe(200)
    expect((await newBrowser(it).api("POST /auth/verify-email", { body: { token } })).status).toBe(400)
    expect(await refused(ada, "GET /users/@me/projects")).toEqual([200, undefined])
  })

  test("contains a link for a new password that ignores the Host of the request", async () => {
    const body = { email: "ada@example.com" }
    await newBrowser(it).api("POST /auth/request-password-reset", { body, headers: { Host: "evil.test" } })
    await it.settle()
    expect(latest().subject).toBe("Neues Passwort festlegen")
    expect(latest().text).not.toContain("evil.test")
    const { page, token } = linkIn(latest().text)
    expect(page).toBe("reset")
    const reset = { token, newPassword: "another fine staple" }
    expect((await newBrowser(it).api("POST /auth/reset-password", { body: reset })).status).toBe(200)
    expect((await newBrowser(it).api("POST /auth/reset-password", { body: reset })).status).toBe(400)
    expect((await ada.api("GET /users/@me")).status).toBe(401)
    ada = await signIn(it, "ada@example.com", "another fine staple")
  })

  test("confirms a new address by mail to that address", async () => {
    const body = { email: "ada@new.example", password: "another fine staple" }
    expect((await ada.api("POST /auth/change-email", { body })).status).toBe(200)
    await it.settle()
    expect(latest().to.address).toBe("ada@new.example")
    const { token } = linkIn(latest().text)
    expect((await newBrowser(it).api("POST /auth/verify-email", { body: { token } })).status).toBe(200)
    expect((await ada.api("GET /users/@me")).body.email).toBe("ada@new.example")
  })

  test("gives nobody a project to which an address was added that they never confirmed (contract B8.2.16)", async () => {
    const squatter = await signUp(it, "bob@example.com")
    const members = `/projects/${it.project.id}/members` as const
    expect((await owner.api(`POST ${members}`, { body: { email: "bob@example.com", role: "ADMIN" } })).status).toBe(201)
    const other = (await owner.api(`POST ${members}`, { body: { email: "ada@new.example" } })).body.data
    const body = { email: "mallory@evil.example", password }
    expect((await squatter.api("POST /auth/change-email", { body })).status).toBe(200)
    await it.settle()
    const { token } = linkIn(latest().text)
    expect((await squatter.api("POST /auth/verify-email", { body: { token } })).status).toBe(200)
    expect(await refused(squatter, `GET ${members}`)).toEqual([403, "PROJECT_ACCESS_DENIED"])
    expect((await squatter.api("GET /users/@me/projects")).body).toEqual([])
    const { body: audit } = await owner.api(`GET /projects/${it.project.id}/audit`)
    expect(audit.data[0]).toMatchObject({ action: "member.left", details: { email: "bob@example.com" } })
    expect((await owner.api(`GET ${members}`)).body.data).toMatchObject([{ role: "OWNER" }, other])
    expect((await owner.api(`DELETE ${members}/${other.userId}`)).status).toBe(204)
  })

  test("leaves the projects to one who had confirmed the address before", async () => {
    const carol = await signUp(it, "carol@example.com")
    const follow = async () => {
      await it.settle()
      const { token } = linkIn(latest().text)
      return (await carol.api("POST /auth/verify-email", { body: { token } })).status
    }
    expect(await follow()).toBe(200)
    const members = `/projects/${it.project.id}/members` as const
    const { body: added } = await owner.api(`POST ${members}`, { body: { email: "carol@example.com" } })
    const change = { email: "carol@new.example", password }
    expect((await carol.api("POST /auth/change-email", { body: change })).status).toBe(200)
    expect(await follow()).toBe(200)
    expect(await refused(carol, `GET ${members}`)).toEqual([200, undefined])
    expect((await owner.api(`DELETE ${members}/${added.data.userId}`)).status).toBe(204)
  })

  test("has no effect any more once there is a new password", async () => {
    const asked = async (current: string) => {
      const body = { email: "eve@evil.example", password: current }
      expect((await ada.api("POST /auth/change-email", { body })).status).toBe(200)
      await it.settle()
      expect(latest().to.address).toBe("eve@evil.example")
      return linkIn(latest().text).token
    }
    const follow = async (token: string) =>
      (await newBrowser(it).api("POST /auth/verify-email", { body: { token } })).status
    const first = await asked("another fine staple")
    const change = { currentPassword: "another fine staple", newPassword: "a third fine staple" }
    expect((await ada.api("POST /auth/change-password", { body: change })).status).toBe(200)
    expect(await follow(first)).toBe(400)
    const second = await asked("a third fine staple")
    await newBrowser(it).api("POST /auth/request-password-reset", { body: { email: "ada@new.example" } })
    await it.settle()
    const reset = { token: linkIn(latest().text).token, newPassword: "another fine staple" }
    expect((await newBrowser(it).api("POST /auth/reset-password", { body: reset })).status).toBe(200)
    expect(await follow(second)).toBe(400)
    ada = await signIn(it, "ada@new.example", "another fine staple")
  })

  test("is stored without its links, and in no visible project", async () => {
    const db = it.app.store.read
    const rows = JSON.stringify([await db.select().from(emailTable), await db.select().from(contentTable)])
    for (const { text } of it.sent()) expect(rows).not.toContain(linkIn(text).token)
    expect((await it.app.projects.list()).map(({ id }) => id)).toEqual([it.project.id])
    expect((await owner.api("GET /users/@me/projects")).body.map((one: { id: string }) => one.id)).toEqual([
      it.project.id,
    ])
    expect((await it.api("GET /emails")).body.total).toBe(0)
    const nil = "00000000-0000-0000-0000-000000000000"
    const seen = await owner.api("GET /emails", { project: nil })
    expect([seen.status, seen.body.error.code]).toEqual([403, "PROJECT_ACCESS_DENIED"])
    const settings = await owner.api(`PATCH /users/@me/projects/${nil}`, { body: { disabled: true } })
    expect([settings.status, settings.body.error.code]).toEqual([403, "PROJECT_ACCESS_DENIED"])
  })

  test("notifies the members of a project, once, that it was disabled for its reputation", async () => {
    const { id } = (await ada.api("POST /users/@me/projects", { body: { name: "Ada & Co" } })).body
    await ada.api(`POST /projects/${id}/members`, { body: { email: "owner@acme.test" } })
    const before = it.sent().length
    for (let time = 0; time < 2; time++) await it.app.projects.setDisabled(id, "EMAIL_REPUTATION")
    await it.settle()
    const told = it.sent().slice(before)
    told.sort((a, b) => a.to.address.localeCompare(b.to.address))
    expect(told.map(({ to, subject }) => [to.address, subject])).toEqual([
      ["ada@new.example", "Ada & Co wurde deaktiviert"],
      ["owner@acme.test", "Ada & Co was disabled"],
    ])
    expect(told[1]?.html).toContain("Ada &amp; Co sends no more mail")
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.settle()
    expect(it.sent().length).toBe(before + 2)
    await it.app.projects.setDisabled(it.project.id, null)
  })

  test("has at most three confirmations an hour", async () => {
    await newBrowser(it).api("POST /auth/signup", { body: { email: "bo@example.com", password } })
    const bo = await signIn(it, "bo@example.com")
    const statuses = []
    for (let time = 0; time < 4; time++) statuses.push((await bo.api("POST /auth/request-verification")).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test("logs no links", () => {
    expect(JSON.stringify(it.complaints)).not.toContain("token=")
  })
})

test("While mail is captured, links are in the log too, because their mail reaches nobody (contract B8.1.3)", async () => {
  const it = await startTestApp({ settings: { "system_mail.from": "post@acme.test" } })
  await signUp(it, "owner@acme.test")
  await signUp(it, "ada@example.com")
  await it.settle()
  const links = it.complaints.filter(({ fields }) => String(fields.link).includes("token="))
  expect([links.length, it.sent().length]).toEqual([1, 1])
  await it.close()
})

describe("Without a sender, links (contract B8.1.3)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
    await signUp(it, "owner@acme.test")
    await signUp(it, "ada@example.com")
    await newBrowser(it).api("POST /auth/request-password-reset", { body: { email: "ada@example.com" } })
    await it.settle()
    await it.settle()
  })
  afterAll(() => it.close())

  test("are written to the log, each once, at level warn, and nothing is sent", async () => {
    const found = it.complaints.filter(({ fields }) => String(fields.link).includes("token="))
    expect(found.map(({ level, fields }) => [level, fields.address, linkIn(String(fields.link)).page])).toEqual([
      ["warn", "ada@example.com", "verify"],
      ["warn", "ada@example.com", "reset"],
    ])
    expect(JSON.stringify(it.complaints).match(/token=/g)).toHaveLength(2)
    expect(it.sent()).toEqual([])
  })

  test("work, and the account can be used before", async () => {
    const ada = await signIn(it, "ada@example.com")
    expect((await ada.api("GET /users/@me/projects")).status).toBe(200)
    const { token } = linkIn(String(it.complaints[0]?.fields.link))
    expect((await ada.api("POST /auth/verify-email", { body: { token } })).status).toBe(200)
    expect((await ada.api("GET /users/@me")).body.emailVerified).toBe(true)
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHmac, randomBytes } from "node:crypto"
import { day } from "../../src/kernel/clock.ts"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let owner: Browser & { id: string }

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())

const me = (cookie: string) => it.api("GET /users/@me", { key: "none", headers: { Cookie: cookie } })
const sessionOf = (browser: Browser) => browser.cookies.get("mailstead_session") ?? ""
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const login = (email: string, given: string, browser = newBrowser(it), headers = {}) =>
  browser.api("POST /auth/login", { body: { email, password: given }, headers })

describe("A session token", () => {
  test("is valid only as issued: not with another algorithm, key, claim or form", async () => {
    const token = sessionOf(owner)
    const [head = "", body = "", signature = ""] = token.split(".")
    const claims = JSON.parse(Buffer.from(body, "base64url").toString())
    const signed = (header: object, key: Buffer, algorithm = "sha256") => {
      const text = `${encode(header)}.${body}`
      return `${text}.${createHmac(algorithm, key).update(text).digest("base64url")}`
    }
    expect((await me(`mailstead_session=${token}`)).status).toBe(200)
    const altered = encode({ ...claims, sub: "0199c0de-0000-7000-8000-000000000099" })
    const later = encode({ ...claims, exp: claims.exp + 1_000 })
    const forged = {
      "alg none": `${encode({ alg: "none", typ: "JWT" })}.${body}.`,
      "alg none with the signature": `${encode({ alg: "none", typ: "JWT" })}.${body}.${signature}`,
      "alg HS512": signed({ alg: "HS512", typ: "JWT" }, randomBytes(64), "sha512"),
      "alg RS256": `${encode({ alg: "RS256", typ: "JWT" })}.${body}.${signature}`,
      "another key": signed({ alg: "HS256", typ: "JWT" }, randomBytes(32)),
      "an empty key": signed({ alg: "HS256", typ: "JWT" }, Buffer.alloc(0)),
      "another user": `${head}.${altered}.${signature}`,
      "a later end": `${head}.${later}.${signature}`,
      "no signature": `${head}.${body}`,
      "a fourth part": `${token}.x`,
      "a shorter signature": token.slice(0, -2),
      nothing: "",
    }
    for (const [name, value] of Object.entries(forged))
      expect([name, (await me(`mailstead_session=${value}`)).status]).toEqual([name, 401])
    expect(Object.keys(claims).sort()).toEqual(["exp", "iat", "sid", "sub"])
    expect(claims.exp - claims.iat).toBe(604_800)
  })

  test("planted by an attacker stays anonymous, and signing in again makes a new session", async () => {
    const browser = newBrowser(it)
    browser.cookies.set("mailstead_session", "planted")
    await login("owner@acme.test", password, browser)
    const first = sessionOf(browser)
    expect(first).not.toBe("planted")
    await login("owner@acme.test", password, browser)
    expect(sessionOf(browser)).not.toBe(first)
    expect((await me("mailstead_session=planted")).status).toBe(401)
  })

  test.each([
    ["signing out", (browser: Browser) => browser.api("GET /auth/logout"), true],
    [
      "ending it elsewhere",
      async () => {
        const other = await signIn(it, "owner@acme.test")
        for (const { id, current } of (await other.api("GET /auth/sessions")).body.data)
          if (!current) await other.api(`DELETE /auth/sessions/${id}`)
      },
      true,
    ],
    ...["cross-site", "same-site"].map(
      (from) =>
        [
          `a sign-out that a page of another origin asks for (${from}), which ends nothing`,
          (browser: Browser) => browser.api("GET /auth/logout", { headers: { "Sec-Fetch-Site": from } }),
          false,
        ] as const,
    ),
  ] as const)("cannot be replayed after %s", async (_, end, isOver) => {
    const browser = await signIn(it, "owner@acme.test")
    const token = sessionOf(browser)
    await end(browser)
    expect((await me(`mailstead_session=${token}`)).status).toBe(isOver ? 401 : 200)
  })

  test("of another person is not listed, and cannot be ended", async () => {
    const stranger = await signUp(it, "stranger@example.com")
    const [{ id }] = (await (await signIn(it, "owner@acme.test")).api("GET /auth/sessions")).body.data
    expect((await stranger.api("GET /auth/sessions")).body.data).toMatchObject([{ current: true }])
    expect((await stranger.api(`DELETE /auth/sessions/${id}`)).status).toBe(404)
  })

  test("ends when the password is changed in another session, and after 7 days", async () => {
    await signUp(it, "changes@example.com")
    const [one, two] = [await signIn(it, "changes@example.com"), await signIn(it, "changes@example.com")]
    const body = { currentPassword: password, newPassword: "another fine staple" }
    expect((await one.api("POST /auth/change-password", { body })).status).toBe(200)
    expect([(await one.api("GET /users/@me")).status, (await two.api("GET /users/@me")).status]).toEqual([200, 401])
    await it.clock.advance(7 * day)
    expect((await one.api("GET /users/@me")).status).toBe(401)
    const later = await signIn(it, "changes@example.com", body.newPassword)
    expect((await later.api("GET /auth/sessions")).body.data).toMatchObject([{ current: true }])
  })
})

test.each([
  ["http://mail.acme.test", false],
  ["https://mail.acme.test", true],
])("Cookies under %s have the required flags (contract B8.1.1)", async (baseUrl, isSecure) => {
  const own = await startTestApp({ settings: { "http.base_url": baseUrl } })
  try {
    const { headers } = await newBrowser(own).api("POST /auth/signup", { body: { email: "a@example.com", password } })
    const lines = headers.getSetCookie()
    expect(lines.map((line) => line.slice(0, line.indexOf("="))).sort()).toEqual([
      "mailstead_device",
      "mailstead_session",
    ])
    for (const line of lines) {
      expect(line).toMatch(/; HttpOnly/i)
      expect(line).toMatch(/; SameSite=Lax/i)
      expect(/; Secure/i.test(line)).toBe(isSecure)
      expect(line).not.toMatch(/Domain=/i)
    }
    const session = lines.find((line) => line.startsWith("mailstead_session")) ?? ""
    expect(session).toMatch(/; Path=\/(;|$)/i)
    expect(session).toMatch(/; Max-Age=604800/i)
    expect(lines.find((line) => line.startsWith("mailstead_device"))).toMatch(/; Path=\/auth/i)
    expect(headers.get("cache-control")).toBe("no-store")
  } finally {
    await own.close()
  }
})

describe("Signing in", () => {
  test("gives the same answer for an unknown address and a wrong password, with equal work", async () => {
    const hashed: number[] = []
    const { verify } = Bun.password
    Bun.password.verify = (async (...args: Parameters<typeof verify>) => {
      hashed.push(String(args[1]).length)
      return verify(...args)
    }) as typeof verify
    try {
      const [unknown, wrong] = [
        await login("nobody@example.com", "wrong password"),
        await login("owner@acme.test", "wrong password"),
      ]
      const plain = ({ status, body }: typeof unknown) => [status, body.error.code, body.error.message]
      expect(plain(unknown)).toEqual(plain(wrong))
      expect(plain(wrong).slice(0, 2)).toEqual([401, "INVALID_CREDENTIALS"])
      expect(hashed).toHaveLength(2)
    } finally {
      Bun.password.verify = verify
    }
    expect((await login("owner@acme.test", "x".repeat(60_000))).status).toBe(401)
  })

  test("is refused after 10 failures in 15 minutes, also with the right password, but not on a known device", async () => {
    await signUp(it, "target@example.com")
    const known = await signIn(it, "target@example.com")
    const statuses: number[] = []
    for (let time = 0; time < 11; time++) statuses.push((await login("target@example.com", "wrong password")).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const refused = await login("target@example.com", password)
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect(refused.body.error.details.retryAfter).toBe(900)
    expect(refused.headers.get("retry-after")).toBe("900")
    expect((await login("target@example.com", password, known)).status).toBe(200)

    const forged = newBrowser(it)
    forged.cookies.set("mailstead_device", `${known.cookies.get("mailstead_device")?.split(".")[0]}.AAAA`)
    expect((await login("target@example.com", password, forged)).status).toBe(429)
    const otherAccount = await signIn(it, "owner@acme.test")
    expect((await login("target@example.com", password, otherAccount)).status).toBe(429)
    await it.advance({ minutes: 15 })
    expect((await login("target@example.com", password)).status).toBe(200)
  })

  test("is counted before passwords are verified, also concurrently", async () => {
    await signUp(it, "burst@example.com")
    const answers = await Promise.all(Array.from({ length: 30 }, () => login("burst@example.com", "wrong password")))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    await it.advance({ minutes: 15 })
  })

  test("is refused for a client after 100 failures with any addresses", async () => {
    const statuses: number[] = []
    for (let at = 0; at < 101; at++) statuses.push((await login(`guess${at}@example.com`, "wrong password")).status)
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([100, 429])
    await it.advance({ minutes: 15 })
  })

  test("is refused for a form of another site", async () => {
    const { status, body } = await login("owner@acme.test", password, newBrowser(it), {
      "Sec-Fetch-Site": "cross-site",
    })
    expect([status, body.error.code]).toEqual([403, "FORBIDDEN"])
    const typed = await login("owner@acme.test", password, newBrowser(it), {
      "Content-Type": "application/x-www-form-urlencoded",
    })
    expect(typed.status).toBe(400)
  })
})

describe("Asking for a new password", () => {
  test("gives the same answer for known and unknown addresses and over the limit, and sends three links an hour", async () => {
    await signUp(it, "forgets@example.com")
    await it.settle()
    const before = it.complaints.length
    const answers = []
    for (const email of [...Array.from({ length: 5 }, () => "forgets@example.com"), "nobody@example.com"])
      answers.push(await newBrowser(it).api("POST /auth/request-password-reset", { body: { email } }))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    await it.settle()
    const mailed = it.complaints.slice(before)
    expect(mailed.map(({ fields }) => fields.address)).toEqual(Array.from({ length: 3 }, () => "forgets@example.com"))
    // Each link is valid, until one of them is used.
    const [first, , last] = mailed.map(({ fields }) => /token=([\w-]+)/.exec(String(fields.link))?.[1])
    const use = async (token: string | undefined) =>
      (await newBrowser(it).api("POST /auth/reset-password", { body: { token, newPassword: password } })).status
    expect([await use(first), await use(last), await use(first)]).toEqual([200, 400, 400])
  })

  test("a link is void after a change of the password, and an hour later", async () => {
    const ask = async () => {
      await newBrowser(it).api("POST /auth/request-password-reset", { body: { email: "forgets@example.com" } })
      await it.settle()
      return /token=([\w-]+)/.exec(String(it.complaints.at(-1)?.fields.link))?.[1]
    }
    const use = (token: string | undefined) =>
      newBrowser(it).api("POST /auth/reset-password", { body: { token, newPassword: "yet another staple" } })
    await it.advance({ hours: 1 })
    const first = await ask()
    const browser = await signIn(it, "forgets@example.com")
    const body = { currentPassword: password, newPassword: "another fine staple" }
    await browser.api("POST /auth/change-password", { body })
    expect((await use(first)).status).toBe(400)
    const second = await ask()
    expect(second).not.toBe(first)
    await it.advance({ hours: 1, ms: 1 })
    expect((await use(second)).status).toBe(400)
  })
})

describe("New passwords", () => {
  test.each([
    ["1234567", "too_small"],
    ["x".repeat(257), "too_big"],
    ["password123", "custom"],
    ["Letmein2024!", "custom"],
  ])("%s is 422 %s", async (given, code) => {
    const { status, body } = await newBrowser(it).api("POST /auth/signup", {
      body: { email: "new@example.com", password: given },
    })
    expect([status, body.error.errors]).toEqual([422, [expect.objectContaining({ field: "password", code })]])
  })

  test.each([
    ["POST /auth/signup", "password", "email"],
    ["POST /auth/reset-password", "newPassword", "token"],
  ])("%s tells the fault of the password beside that of another field (contract A1.6)", async (route, field, other) => {
    const { body } = await newBrowser(it).api(route, { body: { [field]: "short" } })
    const found = body.error.errors.map((each: { field: string; code: string }) => [each.field, each.code])
    expect(found.sort()).toEqual(
      [
        [other, "required"],
        [field, "too_small"],
      ].sort(),
    )
  })

  test("of 8 and of 256 characters are taken (contract B8.2)", async () => {
    for (const [at, length] of [8, 256].entries()) {
      const body = { email: `long${at}@example.com`, password: "x".repeat(length) }
      expect((await newBrowser(it).api("POST /auth/signup", { body })).status).toBe(201)
    }
  })

  test("with accents are the same however a keyboard writes these (contract B8.2)", async () => {
    const forms = ["NFC", "NFD"].map((form) => "mật khẩu của tôi".normalize(form))
    expect(forms[0]).not.toBe(forms[1])
    for (const [at, chosen] of forms.entries()) {
      const email = `accents${at}@example.com`
      const body = { email, password: chosen }
      expect((await newBrowser(it).api("POST /auth/signup", { body })).status).toBe(201)
      for (const given of forms) await signIn(it, email, given)
      const wrong = { email, password: "mat khau cua toi" }
      expect((await newBrowser(it).api("POST /auth/login", { body: wrong })).status).toBe(401)
    }
  })
})

test("Who is a member of another project only can be added, but not changed or removed (contract B8.3.11 to B8.3.13)", async () => {
  const admin = await signIn(it, "owner@acme.test")
  const member = await signUp(it, "member@example.com")
  const { id } = (await admin.api("POST /users/@me/projects", { body: { name: "Another" } })).body
  const add = async (project: string) =>
    (await admin.api(`POST /projects/${project}/members`, { body: { email: "member@example.com" } })).status
  expect([await add(id), await add(id)]).toEqual([201, 409])
  const path = `/projects/${it.project.id}/members/${member.id}`
  const change = { body: { role: "ADMIN" } }
  const refused = [await admin.api(`PATCH ${path}`, change), await admin.api(`DELETE ${path}`)]
  expect(refused.map(({ status }) => status)).toEqual([404, 404])
  expect([await add(it.project.id), (await admin.api(`PATCH ${path}`, change)).status]).toEqual([201, 200])
})

test("Attempts with taken addresses count as new accounts of a client: 409 reveals at most 30 an hour", async () => {
  const own = await startTestApp()
  try {
    await signUp(own, "owner@acme.test")
    const statuses: number[] = []
    for (let time = 0; time < 31; time++) {
      const body = { email: "owner@acme.test", password }
      statuses.push((await newBrowser(own).api("POST /auth/signup", { body })).status)
    }
    expect([statuses.filter((status) => status === 409).length, statuses.at(-1)]).toEqual([29, 429])
    await own.advance({ hours: 1 })
    await signUp(own, "later@example.com")
  } finally {
    await own.close()
  }
})

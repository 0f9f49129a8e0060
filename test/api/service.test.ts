import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import packageJson from "../../package.json" with { type: "json" }
import { startTestApp, type TestApp } from "../harness/app.ts"

const { version } = packageJson
const anyone = { key: "none" } as const

describe("The service endpoints (contract A8.4)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  test("report health and uptime to anyone", async () => {
    const { status, body } = await it.api("GET /health", anyone)
    expect(status).toBe(200)
    expect(body).toEqual({ status: "ok", version, uptime: 0 })
    await it.advance({ minutes: 1, seconds: 1, ms: 999 })
    expect((await it.api("GET /health", anyone)).body.uptime).toBe(61)
  })

  test.each([
    ["a wrong key", { key: "sk_wrong" }],
    ["a public key", { key: "pk" }],
    ["a broken cookie", { ...anyone, headers: { Cookie: "mailstead_session=x" } }],
  ])("ignore credentials: %s", async (_, call) => {
    expect((await it.api("GET /health", call)).status).toBe(200)
    expect((await it.api("GET /config", call)).status).toBe(200)
    expect((await it.api("GET /", call)).status).toBe(302)
  })

  test("redirect / to the dashboard", async () => {
    const { status, headers } = await it.api("GET /", anyone)
    expect([status, headers.get("location")]).toEqual([302, "/app"])
  })

  test.each(["/health", "/config", "/"])("answer HEAD %s as GET, without a body", async (path) => {
    const [head, get] = [await it.api(`HEAD ${path}`, anyone), await it.api(`GET ${path}`, anyone)]
    expect([head.status, head.body]).toEqual([get.status, undefined])
    expect(head.headers.get("location")).toBe(get.headers.get("location"))
  })

  test.each(["POST /health", "PUT /config", "DELETE /"])("are 404 for %s", async (route) => {
    const { status, body } = await it.api(route, anyone)
    expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })
})

test("GET /health is 503 once the store has failed, without details (contract A8.4)", async () => {
  const it = await startTestApp()
  await it.advance({ seconds: 5 })
  await it.app.store.close()
  const { status, body } = await it.api("GET /health", anyone)
  expect(status).toBe(503)
  expect(body).toEqual({ status: "error", version, uptime: 5 })
  await it.close()
})

describe("GET /config (contract B7.3.2)", () => {
  const settingsOf = async (...options: Parameters<typeof startTestApp>) => {
    const it = await startTestApp(...options)
    const { status, headers, body } = await it.api("GET /config", anyone)
    await it.close()
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("application/json")])
    return { body, it }
  }

  test("has all facts, and no secrets", async () => {
    const { body, it } = await settingsOf({ settings: { "http.base_url": "https://mail.acme.test" } })
    expect(body).toEqual({
      environment: "production",
      version,
      sandbox: false,
      urls: {
        api: "https://mail.acme.test",
        dashboard: "https://mail.acme.test/app",
        landing: null,
        wiki: "https://mail.acme.test/docs",
      },
      features: {
        billing: { enabled: false },
        storage: { enabled: true, s3Enabled: false },
        authProviders: { github: false, google: false },
        signup: { signupsDisabled: expect.any(Boolean) },
        email: { trackingToggleEnabled: true, captured: false, paused: false },
        sponsor: { enabled: false },
        systemMail: { enabled: false },
        smtp: { enabled: false, domain: null, ports: null },
      },
      aws: { sesRegion: null, mailFromSubdomain: null },
    })
    expect(JSON.stringify(body)).not.toContain(it.project.secret)
  })

  test("shows whether it is a sandbox", async () => {
    const { body } = await settingsOf({ mode: "sandbox" })
    expect(body).toMatchObject({ environment: "sandbox", sandbox: true, features: { email: { captured: true } } })
  })

  test("shows that mail is captured while there is no transport (contract A8.2)", async () => {
    const it = await startTestApp({ mode: "sandbox" })
    expect((await it.api("GET /config", anyone)).body.features.email.captured).toBe(true)
    await it.close()
  })

  test("has the SMTP port while there is a listener", async () => {
    const it = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
    const smtp = async () => (await it.api("GET /config", anyone)).body.features.smtp
    expect(await smtp()).toEqual({ enabled: false, domain: null, ports: null })
    const { smtp: ports, url } = await it.app.start()
    expect(await smtp()).toEqual({
      enabled: true,
      domain: "localhost",
      ports: { secure: null, submission: ports.submission },
    })
    expect((await it.api("GET /config", anyone)).body.urls.api).toBe(url)
    await it.close()
  })

  test.each([
    [{ "smtp.hostname": "mx.acme.test", "http.base_url": "https://mail.acme.test" }, "mx.acme.test"],
    [{ "http.base_url": "https://mail.acme.test" }, "mail.acme.test"],
    [{ "http.base_url": "http://192.0.2.1:3000" }, "localhost"],
  ])("names the mail server by %p", async (settings, domain) => {
    const it = await startTestApp({
      settings: { ...settings, "smtp.submission_port": "2587" },
      overrides: { freeSmtpPorts: true },
    })
    await it.app.start()
    expect((await it.api("GET /config", anyone)).body.features.smtp).toMatchObject({ enabled: true, domain })
    await it.close()
  })

  test.each([
    [{ "mail.url": "smtp://127.0.0.1:2525", "ses.region": "eu-west-1" }, "eu-west-1"],
    [{ "mail.url": "smtp://127.0.0.1:2525 ses://eu-north-1", "ses.region": "eu-west-1" }, "eu-north-1"],
    [{ "mail.url": "smtp://127.0.0.1:2525" }, null],
  ])("has the region of SES of %p", async (settings, region) => {
    const { body } = await settingsOf({ settings })
    expect(body.aws).toEqual({ sesRegion: region, mailFromSubdomain: null })
  })

  test("has closed sign-up and the sender of system mail", async () => {
    const { body } = await settingsOf({
      settings: { "accounts.signups": "false", "system_mail.from": "Acme <mail@acme.test>" },
    })
    expect([body.features.signup, body.features.systemMail]).toEqual([{ signupsDisabled: true }, { enabled: true }])
  })
})

test("GET /health/ready follows the life of the server, GET /health/live does not (contract A8.4)", async () => {
  const it = await startTestApp()
  const ask = async (path: string) => {
    const { status, body } = await it.api(`GET /health/${path}`, anyone)
    return [status, body]
  }
  expect(await ask("ready")).toEqual([503, { status: "starting" }])
  expect(await ask("live")).toEqual([200, { status: "ok" }])
  await it.app.start()
  expect(await ask("ready")).toEqual([200, { status: "ok" }])
  const stopped = it.stop()
  expect(await ask("ready")).toEqual([503, { status: "stopping" }])
  expect(await ask("live")).toEqual([200, { status: "ok" }])
  await stopped
  await it.close()
})

test("GET /health/ready is 503 once the store has failed (contract A8.4)", async () => {
  const it = await startTestApp()
  await it.app.start()
  await it.app.store.close()
  const { status, body } = await it.api("GET /health/ready", anyone)
  expect([status, body]).toEqual([503, { status: "error" }])
  await it.close()
})

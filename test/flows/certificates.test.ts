import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"
import tls from "node:tls"
import { loadConfig } from "../../src/config.ts"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { certificateAlertState, certificateStatus } from "../../src/tls/status.ts"
import {
  type AcmeApp,
  type AcmeAppOptions,
  askedWhenToRenew,
  freePort,
  notObtained,
  obtained,
  startAcmeApp,
} from "../harness/acme.ts"
import { type AcmeServer, startAcmeServer } from "../harness/acme-server.ts"

let authority: AcmeServer
beforeEach(() => {
  authority = startAcmeServer()
})
afterEach(() => authority.stop())

async function start(options: Partial<AcmeAppOptions> = {}): Promise<AcmeApp> {
  authority.plainPort = await freePort()
  return startAcmeApp({ directory: authority.directory, plainPort: authority.plainPort, ...options })
}

const plain = (it: AcmeApp, path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${it.listening.publicPorts.plain}${path}`, { redirect: "manual", ...init })

/** The figures of issuing one certificate for two names. */
const oneOrder = ["newAccount", "newOrder", "authz", "challenge", "authz", "authz", "challenge", "authz"]

function condition({ folder, clock }: AcmeApp) {
  const options = {
    data: folder,
    "http.domains": "mail.example.com www.example.com",
    "http.acme_directory": authority.directory,
  }
  const status = certificateStatus(loadConfig({ options }).config)
  return status && certificateAlertState(status, clock.now())
}

describe("a first certificate", () => {
  test("is obtained in the background; until then http answers, and nobody speaks https (contract A8.6.1)", async () => {
    const gate = Promise.withResolvers<void>()
    authority.next("newAccount", gate.promise)
    await using it = await start()
    const early = await plain(it, "/app")
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "60"])
    expect(await it.certificate().catch((cause) => cause.code)).toBe("ECONNREFUSED")
    expect(condition(it)).toMatchObject({ active: false })

    gate.resolve()
    await it.logged(obtained)
    expect((await it.certificate()).subjectAltName).toBe("DNS:mail.example.com, DNS:www.example.com")
    expect(authority.asked.slice(0, oneOrder.length)).toEqual(oneOrder)
    const health = await it.get("/health")
    expect([health.status, health.headers.get("strict-transport-security")]).toEqual([200, "max-age=15552000"])
    expect(it.listening.url).toBe(`https://mail.example.com:${it.listening.publicPorts.tls}`)
    expect(condition(it)).toMatchObject({ key: "certificate", active: false })
  })

  test("is kept with its account in files that only the owner reads, and used after a restart", async () => {
    await using first = await start()
    await first.logged(obtained)
    const { serialNumber } = await first.certificate()
    await first.stop()
    const folder = join(first.folder, "tls")
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
    expect(modes.sort()).toEqual(["account.pem", "attempts.json", "certificate.pem"].map((name) => [name, "600"]))

    const asked = authority.asked.length
    await using second = await start({ folder: first.folder })
    expect((await second.certificate()).serialNumber).toBe(serialNumber)
    expect(authority.asked).toHaveLength(asked)
  })

  test("is used by SMTP as soon as it is there", async () => {
    const gate = Promise.withResolvers<void>()
    authority.next("newAccount", gate.promise)
    const [submission, secure] = [await freePort(), await freePort()]
    await using it = await start({
      settings: {
        "smtp.host": "127.0.0.1",
        "smtp.submission_port": String(submission),
        "smtp.secure_port": String(secure),
      },
    })
    expect(it.listening.smtp).toMatchObject({ submission, secure: null })
    expect(await offered(submission)).not.toContain("STARTTLS")
    gate.resolve()
    await it.logged(obtained)
    expect(await offered(submission)).toContain("STARTTLS")
    const { features } = (await (await it.get("/config")).json()) as { features: { smtp: { ports: object } } }
    expect(features.smtp.ports).toEqual({ submission, secure })
  })

  test("is obtained anew for other names, or from another authority", async () => {
    await using first = await start()
    await first.logged(obtained)
    await first.stop()
    await using second = await start({
      folder: first.folder,
      settings: { "http.domains": "new.example.com new.example.com" },
    })
    await second.logged(obtained)
    expect((await second.certificate()).subjectAltName).toBe("DNS:new.example.com")
    await second.stop()
    const before = authority.orders.length
    const other = startAcmeServer()
    other.plainPort = await freePort()
    const settings = { "http.domains": "new.example.com" }
    const options = { folder: first.folder, directory: other.directory, plainPort: other.plainPort, settings }
    await using third = await startAcmeApp(options)
    await third.logged(obtained)
    expect([authority.orders.length, other.orders.length]).toEqual([before, 1])
    await other.stop()
  })
})

describe("a renewal", () => {
  test("comes when a third of the lifetime is left, and drops no request (contract A8.6.2)", async () => {
    await using it = await start()
    await it.logged(obtained)
    const first = await it.certificate()
    it.clock.jump(59 * day)
    await it.clock.sleep(1_000, new AbortController().signal)
    expect(authority.orders).toHaveLength(1)

    // Under way while the listener is replaced.
    const slow = await halfRequest(it.listening.publicPorts.tls)
    authority.validity = () => ({ beginsAt: it.clock.now() - hour, expiresAt: it.clock.now() + 90 * day })
    it.clock.jump(2 * day)
    await it.logged(obtained)
    const second = await it.certificate()
    expect(second.serialNumber).not.toBe(first.serialNumber)
    expect(await slow.finish()).toBe("HTTP/1.1 401 Unauthorized")
  })

  test("comes earlier when the authority wants it, and names what it replaces (RFC 9773)", async () => {
    authority.window = [Date.now() + 10 * day, Date.now() + 12 * day]
    await using it = await start()
    await it.logged(obtained)
    it.clock.jump(2 * minute)
    await it.logged(askedWhenToRenew)
    authority.validity = () => ({ beginsAt: it.clock.now() - hour, expiresAt: it.clock.now() + 90 * day })
    it.clock.jump(11 * day + minute)
    await it.logged(obtained)
    expect(authority.orders.map((order) => typeof order.replaces)).toEqual(["undefined", "string"])
  })

  test("that fails leaves the old certificate in use, says so, and is tried again (contract A8.6.3)", async () => {
    await using it = await start()
    await it.logged(obtained)
    const { serialNumber } = await it.certificate()
    authority.plainPort = 1
    it.clock.jump(61 * day)
    const { reason } = await it.logged(notObtained)
    expect(reason).toStartWith("mail.example.com: It answered")
    expect((await it.certificate()).serialNumber).toBe(serialNumber)
    const { active, sentence } = condition(it) ?? {}
    expect(active).toBe(true)
    expect(sentence).toMatch(
      /^The certificate for mail\.example\.com cannot be renewed: mail\.example\.com: It answered .+ The certificate for mail\.example\.com expires on \d{4}-\d\d-\d\d\. The next attempt is at .+ UTC\.$/,
    )
    authority.plainPort = it.listening.publicPorts.plain
    authority.validity = () => ({ beginsAt: it.clock.now() - hour, expiresAt: it.clock.now() + 90 * day })
    it.clock.jump(2 * minute)
    await it.logged(obtained)
    expect(condition(it)).toMatchObject({ active: false })
  })

  test("is ordered once more when the certificate counts as replaced already", async () => {
    authority.window = [Date.now() + 10 * day, Date.now() + 12 * day]
    await using it = await start()
    await it.logged(obtained)
    authority.next("newOrder", { type: "alreadyReplaced", status: 409 })
    authority.validity = () => ({ beginsAt: it.clock.now() - hour, expiresAt: it.clock.now() + 90 * day })
    it.clock.jump(61 * day)
    await it.logged(obtained)
    expect(authority.orders.at(-1)?.replaces).toBeUndefined()
  })
})

describe("an authority", () => {
  test("that refuses a nonce gets the request again with a new one", async () => {
    const refusal = { type: "badNonce", status: 400 }
    authority.next("newOrder", refusal, refusal)
    authority.next("finalize", refusal)
    await using it = await start()
    await it.logged(obtained)
  })

  test("that refuses every nonce is not asked for ever", async () => {
    authority.next("newOrder", ...Array.from({ length: 9 }, () => ({ type: "badNonce", status: 400 })))
    await using it = await start()
    await it.logged(notObtained)
    expect(authority.asked.filter((resource) => resource === "newOrder")).toHaveLength(5)
  })

  test("that takes its time is asked again until it is done", async () => {
    authority.next("order", "pending", "pending")
    await using it = await start()
    await it.logged(obtained)
  })

  test.each([
    ["seconds", "7200", 2 * hour],
    ["a date", "", 3 * hour],
  ])("that limits the rate is left alone as long as it says, in %s (contract A8.6.3)", async (_, given, wait) => {
    const retryAfter = given || new Date(Date.now() + wait).toUTCString()
    const refusal = { type: "rateLimited", status: 429, detail: "Too many certificates already issued", retryAfter }
    authority.next("newOrder", refusal)
    await using it = await start()
    const { reason, next } = await it.logged(notObtained)
    expect(reason).toBe("Too many certificates already issued")
    expect(Math.abs(Date.parse(String(next)) - it.clock.now() - wait)).toBeLessThan(2 * minute)
    await it.stop()

    // Also after a restart.
    const asked = authority.asked.length
    await using again = await start({ folder: it.folder, clock: it.clock })
    again.clock.jump(wait - 5 * minute)
    await again.clock.sleep(1_000, new AbortController().signal)
    expect(authority.asked).toHaveLength(asked)
    again.clock.jump(8 * minute)
    await again.logged(obtained)
  })

  test("that cannot be reached is a failure like others", async () => {
    await authority.stop()
    await using it = await start()
    const { reason } = await it.logged(notObtained)
    expect(reason).toMatch(
      /^The certificate authority at 127\.0\.0\.1:\d+ cannot be asked: The host accepts no connection\.$/,
    )
  })

  test.each([
    ["a server error", { type: "serverInternal", status: 500, detail: "Two\nlines" }, "Two lines"],
    ["a forbidden name", { type: "rejectedIdentifier", status: 400, detail: "Not this name" }, "Not this name"],
  ])("that answers with %s is quoted", async (_, refusal, reason) => {
    authority.next("newOrder", refusal)
    await using it = await start()
    expect((await it.logged(notObtained)).reason).toBe(reason)
  })
})

describe("at the port of http", () => {
  let it: AcmeApp
  let own: AcmeServer
  beforeAll(async () => {
    own = startAcmeServer()
    own.plainPort = await freePort()
    it = await startAcmeApp({ directory: own.directory, plainPort: own.plainPort })
    await it.logged(obtained)
  })
  afterAll(async () => {
    await it[Symbol.asyncDispose]()
    await own.stop()
  })

  test.each([
    ["the own name", "mail.example.com", "mail.example.com"],
    ["another own name", "www.example.com:80", "www.example.com"],
    ["a foreign name", "evil.test", "mail.example.com"],
  ])("%s is redirected by 308 with path and query (contract A8.6.4)", async (_, host, name) => {
    const response = await plain(it, "/v1/send?a=%2F&b=//x", { method: "POST", body: "{}", headers: { Host: host } })
    expect(response.status).toBe(308)
    const port = it.listening.publicPorts.tls
    expect(response.headers.get("location")).toBe(`https://${name}:${port}/v1/send?a=%2F&b=//x`)
  })

  test("a path that looks like a host stays on this server", async () => {
    const location = (await plain(it, "//evil.test/x")).headers.get("location")
    expect(new URL(location ?? "").hostname).toBe("mail.example.com")
  })

  test("a request of HTTP/1.0 without a host is redirected to the public address (contract A8.6.4)", async () => {
    const { plain, tls } = it.listening.publicPorts
    const [status, ...fields] = await headOf(net.connect(plain, "127.0.0.1"), "GET /a?b=//c HTTP/1.0")
    expect(status).toBe("HTTP/1.1 308 Permanent Redirect")
    expect(fields).toContain(`Location: https://mail.example.com:${tls}/a?b=//c`)
  })

  test("an unknown challenge is 404, and this machine learns of the health", async () => {
    expect((await plain(it, "/.well-known/acme-challenge/unknown")).status).toBe(404)
    expect((await plain(it, "/health")).status).toBe(200)
    expect((await plain(it, "/health", { headers: { "X-Forwarded-For": "192.0.2.1" } })).status).toBe(308)
    expect((await plain(it, "/health", { headers: { Host: "mail.example.com" } })).status).toBe(308)
  })
})

test("a health check of HTTP/1.0 without a host is answered over https, too (contract A8.4)", async () => {
  await using it = await start()
  await it.logged(obtained)
  for (const path of ["/health", "/health/live", "/health/ready", "/health?from=haproxy"]) {
    const socket = tls.connect({ host: "127.0.0.1", port: it.listening.publicPorts.tls, rejectUnauthorized: false })
    const [status] = await headOf(socket, `GET ${path} HTTP/1.0`)
    expect([path, status]).toEqual([path, "HTTP/1.1 200 OK"])
  }
})

test("what was stored half is no certificate, and a new one is obtained", async () => {
  await using first = await start()
  await first.logged(obtained)
  await first.stop()
  const path = join(first.folder, "tls", "certificate.pem")
  const text = readFileSync(path, "utf8")
  await Bun.write(path, text.slice(0, text.length / 2))
  await using second = await start({ folder: first.folder })
  await second.logged(obtained)
})

/** The status line and the fields of the response to a request without fields. */
async function headOf(socket: net.Socket, line: string): Promise<string[]> {
  socket.write(`${line}\r\n\r\n`)
  const [answer] = await once(socket, "data")
  socket.destroy()
  return String(answer).split("\r\n\r\n", 1)[0]?.split("\r\n") ?? []
}

/** A sign-in of which half has been sent. */
async function halfRequest(port: number) {
  const socket = tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false, servername: "mail.example.com" })
  await once(socket, "secureConnect")
  const [head, body] = [
    "POST /auth/login HTTP/1.1\r\nHost: mail.example.com\r\nContent-Type: application/json\r\n",
    '{"email":"ada@example.com","password":"not the right one"}',
  ]
  await new Promise((resolve) => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`, resolve)
  })
  return {
    async finish(): Promise<string> {
      socket.write(body.slice(10))
      const [answer] = await once(socket, "data")
      socket.destroy()
      return String(answer).split("\r\n", 1)[0] ?? ""
    },
  }
}

/** What SMTP offers to a client that has not said STARTTLS. */
async function offered(port: number): Promise<string> {
  let received = ""
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(socket, chunk) {
        received += chunk.toString()
        if (received.startsWith("220") && !received.includes("250")) socket.write("EHLO client.test\r\n")
        if (/^250 /m.test(received)) resolve(received)
      },
    },
  })
  const features = await promise
  socket.end()
  return features
}

import { afterAll, beforeAll, expect, test } from "bun:test"
import { loadConfig } from "../../src/config.ts"
import { type Check, runChecks, type Verdict } from "../../src/modules/doctor/check.ts"
import { type NetworkDeps, networkChecks } from "../../src/modules/doctor/checks/network.ts"
import { reverseName } from "../../src/net/dns/reverse-name.ts"
import { freePort } from "../harness/acme.ts"
import { type DnsServer, lookupsAt, startDnsServer } from "../harness/dns-server.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { startSink } from "../harness/smtp-sink.ts"

const address = "9.9.9.9"
const never = new AbortController().signal
const configWith = (options: Record<string, string>) => loadConfig({ mode: "serve", options }).config
const noDns = lookupsAt(["127.0.0.1:9"])

let dns: DnsServer
beforeAll(async () => {
  dns = await startDnsServer({
    "example.com": [["A", "192.0.2.1"]],
    "mail.acme.test": [["A", address]],
    [reverseName(address)]: [["PTR", "mail.acme.test"]],
  })
})
afterAll(() => dns.stop())

function checkOf(name: string, deps: Partial<NetworkDeps>): Check {
  const checks = networkChecks({
    config: configWith({}),
    dns: noDns,
    baseUrl: () => "http://127.0.0.1:3000",
    isRunning: () => true,
    ...deps,
  })
  const check = checks.find((one) => one.name === name)
  if (check === undefined) throw new Error(`There is no check ${name}`)
  return check
}

/** What one check says. */
const look = async (name: string, deps: Partial<NetworkDeps>) => (await checkOf(name, deps).run(never)) as Verdict

test("the public address is asked for its health while a server runs", async () => {
  let answer: unknown = {}
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(answer) })
  const url = `http://127.0.0.1:${server.port}`
  const verdict = async (isRunning = true, options = { "http.base_url": url } as Record<string, string>) =>
    (await look("public address", { config: configWith(options), baseUrl: () => url, isRunning: () => isRunning }))
      .status
  expect(await verdict()).toBe("fail")
  answer = { status: "ok", version: "0.1.0", uptime: 1 }
  expect(await verdict()).toBe("ok")
  // This machine is asked without the proxy that others are reached by.
  const { HTTP_PROXY } = process.env
  process.env.HTTP_PROXY = "http://127.0.0.1:9"
  const besideProxy = await verdict()
  if (HTTP_PROXY === undefined) delete process.env.HTTP_PROXY
  else process.env.HTTP_PROXY = HTTP_PROXY
  expect(besideProxy).toBe("ok")
  const below = await look("public address", {
    config: configWith({ "http.base_url": url }),
    baseUrl: () => `${url}/sub`,
  })
  expect(below).toEqual({ status: "fail", message: expect.stringContaining("/sub has a path, under which") })
  // The first of the names is the public address then.
  expect(await verdict(true, { "http.domains": "mail.example.com" })).toBe("ok")
  expect(await verdict(true, {})).toBe("warn")
  answer = { status: "ok", version: "0.0.1", uptime: 1 }
  expect(await verdict()).toBe("warn")
  answer = { status: "error", version: "0.1.0", uptime: 1 }
  expect(await verdict()).toBe("fail")
  expect(await verdict(false)).toBe("warn")
  await server.stop(true)
  expect(await verdict()).toBe("fail")
})

test("a resolver that answers is ok, and one that does not is named", async () => {
  expect(await look("dns", { dns: lookupsAt([dns.address]) })).toEqual({
    status: "ok",
    message: "The DNS resolver answers.",
  })
  const config = configWith({ "dns.servers": "127.0.0.1:9" })
  expect(await look("dns", { config })).toMatchObject({
    status: "fail",
    message: expect.stringContaining("dns.servers (127.0.0.1:9)"),
  })
})

test("a resolver that stays silent for the whole time is named like one that does not answer", async () => {
  const clock = createFakeClock()
  const silent = { ...noDns, addresses: () => new Promise<never>(() => {}) }
  const check = checkOf("dns", { config: configWith({ "dns.servers": "192.0.2.53" }), dns: silent })
  const report = runChecks([check], clock, 5_000)
  await clock.advance(5_000)
  expect(await report).toEqual([
    { name: "dns", status: "fail", message: expect.stringContaining("dns.servers (192.0.2.53)") },
  ])
})

test("port 25 is ok where a mail server is reached, and otherwise a relay is recommended", async () => {
  const sink = await startSink()
  const at = (port: number) => look("port 25", { port25: { host: "127.0.0.1", port } })
  expect(await at(sink.port)).toMatchObject({ status: "ok" })
  await sink.stop()
  expect(await at(await freePort())).toMatchObject({ status: "warn", message: expect.stringContaining("port 587") })
  expect(await look("port 25", {})).toMatchObject({ status: "warn", message: expect.stringContaining("DNS") })
})

test("an address whose name leads back to it is ok, and any other is told", async () => {
  const named = (hostname: string) =>
    look("reverse dns", { config: configWith({ "smtp.hostname": hostname }), dns: lookupsAt([dns.address]) })
  expect(await named("mail.acme.test")).toEqual({ status: "ok", message: `${address} has a name that leads back.` })
  expect(await named("gone.acme.test")).toMatchObject({ status: "warn" })
})

test("a name that the DNS does not know is told from a DNS that does not answer", async () => {
  const url = "https://nowhere.acme.test"
  const config = configWith({ "smtp.hostname": "nowhere.acme.test", "http.base_url": url })
  const asked = { config, baseUrl: () => url, isRunning: () => true }
  expect(await look("public address", asked)).toEqual({
    status: "warn",
    message: "The DNS gave no answer for nowhere.acme.test: look at the check of the DNS.",
  })
  const absent = await look("public address", { ...asked, dns: lookupsAt([dns.address]) })
  expect(absent.message).toContain("nowhere.acme.test has no address in the DNS")
  const silent = await look("reverse dns", { config })
  expect(silent.message).toBe("The DNS gave no answer for nowhere.acme.test: look at the check of the DNS.")
  const unknown = await look("reverse dns", { config, dns: lookupsAt([dns.address]) })
  expect(unknown.message).toContain("nowhere.acme.test (smtp.hostname) has no public address")
})

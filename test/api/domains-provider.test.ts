import { afterEach, beforeEach, expect, test } from "bun:test"
import { and, eq } from "drizzle-orm"
import { createPlugins } from "../../plugins/index.ts"
import { run } from "../../src/commands/index.ts"
import { jobTable } from "../../src/jobs/table.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { silentLog } from "../../src/kernel/log.ts"
import { sent } from "../../src/mail/transport.ts"
import { createTransports, type Transports } from "../../src/mail/transports.ts"
import { signUp } from "../harness/accounts.ts"
import type { ApiReply } from "../harness/api-server.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { beforeNextWrite } from "../harness/before-write.ts"
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts"
import { createFakeClock, type FakeClock } from "../harness/fake-clock.ts"
import { type SesServer, sesError, startSes } from "../harness/ses-server.ts"
import { until, writesDone } from "../harness/store.ts"

let ses: SesServer
let dns: DnsServer
let it: TestApp
let transports: Transports

/** Starts the server, with its recurring jobs planned. */
function start(...urls: string[]): Promise<void> {
  const clock = createFakeClock()
  return startAt(clock, clock, urls)
}

async function startAt(clock: FakeClock, ofTransports: Clock, urls: readonly string[]): Promise<void> {
  transports = await createTransports(
    { mail: { url: urls, transactional: null, bulk: null }, transports: {} },
    {
      plugins: createPlugins(async () => sent(null)),
      tools: { log: silentLog, env: (name) => ses.env[name] },
      clock: ofTransports,
    },
  )
  it = await startTestApp({
    clock,
    overrides: { transports },
    settings: { "dns.servers": dns.address, "smtp.hostname": "mail.mailstead.test", "domains.check_seconds": "300" },
  })
  await it.advance({ minutes: 6 })
}

beforeEach(async () => {
  ;[ses, dns] = await Promise.all([startSes(), startDnsServer()])
})
afterEach(async () => {
  await it.close()
  await transports.close()
  await Promise.all([ses.stop(), dns.stop()])
})

interface Shown {
  readonly purpose: string
  readonly type: "TXT" | "MX" | "CNAME"
  readonly name: string
  readonly value: string
  readonly priority?: number
  readonly required: boolean
  readonly status: string
  readonly found: readonly string[]
}

const add = async (domain: string) => (await it.api("POST /domains", { body: { domain } })).body
const verify = async (id: string) => (await it.api(`GET /domains/${id}/verify`)).body
const listed = async () => (await it.api("GET /domains/project/current")).body[0]
const summary = ({ records }: { records: readonly Shown[] }) =>
  records.map(({ purpose, type, name, required, status }) => `${purpose} ${type} ${name} ${required} ${status}`)

/** SES finds the records of a domain, or does not. */
function finds(domain: string, status: "SUCCESS" | "FAILED"): void {
  const identity = ses.identities.get(domain)
  Object.assign(identity ?? {}, { VerifiedForSendingStatus: status === "SUCCESS" })
  Object.assign(identity?.DkimAttributes ?? {}, { Status: status })
  Object.assign(identity?.MailFromAttributes ?? {}, { MailFromDomainStatus: status })
}

test("A domain whose mail leaves by SES has its three CNAMEs and no key of ours (contract B6.1)", async () => {
  await start("ses://eu-west-1")
  const domain = await add("shop.test")
  expect(domain).toMatchObject({ status: "PENDING", verified: false })
  const [a, b, c] = domain.dkimTokens
  expect(summary(domain)).toEqual([
    `DKIM CNAME ${a}._domainkey.shop.test true PENDING`,
    `DKIM CNAME ${b}._domainkey.shop.test true PENDING`,
    `DKIM CNAME ${c}._domainkey.shop.test true PENDING`,
    "SPF TXT ses-bounce.shop.test false PENDING",
    "RETURN_PATH MX ses-bounce.shop.test false PENDING",
    "DMARC TXT _dmarc.shop.test false PENDING",
    "INBOUND MX shop.test false PENDING",
  ])
  expect(ses.identities.get("shop.test")).toMatchObject({ Tags: [{ Key: "mailstead", Value: domain.id }] })
})

test("It is verified when SES says so, and no longer after three checks in which SES does not (contract B6.2, B6.7)", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  expect(await verify(id)).toMatchObject({ status: "PENDING", verified: false })
  finds("shop.test", "SUCCESS")
  const verified = await verify(id)
  expect(verified).toMatchObject({ status: "VERIFIED", verified: true })
  expect(summary(verified).filter((line) => line.endsWith("VERIFIED"))).toHaveLength(5)
  finds("shop.test", "FAILED")
  expect([(await verify(id)).verified, (await verify(id)).verified, (await verify(id)).verified]).toEqual([
    true,
    true,
    false,
  ])
})

test("SES that has stopped looking for records looks again, at a check of its own and when asked (contract B6.1, B6.8)", async () => {
  await start("ses://eu-west-1")
  const { id, dkimTokens } = await add("shop.test")
  const stateOf = (part: "DkimAttributes" | "MailFromAttributes") => {
    const attributes = Object.entries(ses.identities.get("shop.test")?.[part] ?? {})
    return attributes.find(([name]) => /^(?:MailFromDomain)?Status$/.test(name))?.[1]
  }
  finds("shop.test", "FAILED")
  await it.advance({ minutes: 6 })
  expect([stateOf("DkimAttributes"), stateOf("MailFromAttributes")]).toEqual(["PENDING", "PENDING"])
  finds("shop.test", "SUCCESS")
  expect(await verify(id)).toMatchObject({ verified: true, dkimTokens })
  Object.assign(ses.identities.get("shop.test")?.MailFromAttributes ?? {}, { MailFromDomainStatus: "FAILED" })
  for (let hours = 0; hours < 3; hours++) await it.advance({ hours: 1 })
  expect(stateOf("MailFromAttributes")).toBe("FAILED")
  expect((await verify(id)).verified).toBe(true)
  expect([stateOf("DkimAttributes"), stateOf("MailFromAttributes")]).toEqual(["SUCCESS", "PENDING"])
  finds("shop.test", "FAILED")
  const refused = sesError(403, "AccessDeniedException", "Not authorized")
  for (let time = 0; time < 3; time++) {
    ses.next("/v1/email/identities/shop.test/dkim/signing", refused)
    expect((await verify(id)).verified).toBe(time < 2)
  }
})

test("What is published instead of a record of SES is shown", async () => {
  await start("ses://eu-west-1")
  const { id, records } = await add("shop.test")
  dns.zone = { [records[0].name]: [["CNAME", "elsewhere.test", 1]] }
  expect((await verify(id)).records[0].found).toEqual(["elsewhere.test"])
})

test("SES that cannot be asked changes nothing, and registers the domain at the next check (contract B6.7)", async () => {
  await start("ses://eu-west-1")
  ses.next("/v2/email/identities", sesError(403, "AccessDeniedException", "Not authorized"))
  const { id, dkimTokens, records } = await add("shop.test")
  expect([dkimTokens, summary({ records })[0]]).toEqual([[], "DMARC TXT _dmarc.shop.test false PENDING"])
  ses.next("/v2/email/identities", sesError(500, "InternalFailure", "Oops"))
  expect(await verify(id)).toMatchObject({ verified: false, lastCheckedAt: null })
  const found = (await it.app.doctor.report()).find(({ name }) => name === "domain shop.test")
  expect(found).toMatchObject({
    status: "warn",
    message: expect.stringContaining("has not named its records: the log"),
  })
  await it.advance({ minutes: 6 })
  expect((await listed()).dkimTokens).toHaveLength(3)
  finds("shop.test", "SUCCESS")
  expect((await verify(id)).verified).toBe(true)
  finds("shop.test", "FAILED")
  for (let time = 0; time < 3; time++) {
    ses.next("/v2/email/identities/shop.test", sesError(503, "ServiceUnavailable", "Later"))
    expect((await verify(id)).verified).toBe(true)
  }
})

test("SES that answers one request a second registers a domain, and finds it verified (contract B6.8)", async () => {
  const clock = createFakeClock()
  let passed = 0
  // A second of waiting passes at once.
  const sleep: Clock["sleep"] = async (ms, abort) => {
    if (ms === 1_000) passed += ms
    else await clock.sleep(ms, abort)
  }
  const ofTransports = { sleep, now: () => clock.now() + passed }
  await startAt(clock, ofTransports, ["ses://eu-west-1"])
  ses.rateClock = ofTransports.now
  const { id, dkimTokens, records } = await add("shop.test")
  expect([dkimTokens.length, records.filter(({ purpose }: Shown) => purpose === "RETURN_PATH").length]).toEqual([3, 1])
  finds("shop.test", "SUCCESS")
  expect((await verify(id)).verified).toBe(true)
  expect(passed).toBeGreaterThan(0)
})

test("A verified domain is asked of SES once an hour in the background, another at each check", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  const asked = () => ses.calls.filter(({ method, path }) => method === "GET" && path.includes("shop.test")).length
  const before = asked()
  await it.advance({ minutes: 6 })
  await it.advance({ minutes: 6 })
  expect(asked() - before).toBe(2)
  finds("shop.test", "SUCCESS")
  await verify(id)
  const verified = asked()
  for (let time = 0; time < 9; time++) await it.advance({ minutes: 6 })
  expect(asked() - verified).toBe(0)
  for (let time = 0; time < 3; time++) await it.advance({ minutes: 6 })
  expect(asked() - verified).toBe(1)
})

test("With SMTP beside SES a domain has the records of both", async () => {
  await start("ses://eu-west-1", "smtp://relay.example.com")
  const { dkimTokens, records } = await add("shop.test")
  expect([dkimTokens.slice(0, 2), dkimTokens.length]).toEqual([["ms1", "ms2"], 5])
  expect(summary({ records }).filter((line) => line.includes(" true "))).toHaveLength(4)
})

test("A domain that is deleted is taken off SES, and one that was vouched for was never there", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  expect([...ses.identities.keys()]).toEqual(["shop.test"])
  expect((await it.api(`DELETE /domains/${id}`)).status).toBe(204)
  await it.settle()
  expect([...ses.identities.keys()]).toEqual([])
  const own = await it.app.domains.add(it.project.id, "own.test", { vouched: true })
  ses.identities.set("own.test", { Tags: [{ Key: "mailstead", Value: "another server" }] })
  await it.api(`DELETE /domains/${own.id}`)
  await it.settle()
  expect([...ses.identities.keys()]).toEqual(["own.test"])
})

test("A domain that was vouched for once it was registered is taken off SES too", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  await it.app.domains.add(it.project.id, "shop.test", { vouched: true })
  await it.api(`DELETE /domains/${id}`)
  await it.settle()
  expect([...ses.identities.keys()]).toEqual([])
})

test("The domains of a project that is deleted are taken off SES, also when it fails at first", async () => {
  await start("ses://eu-west-1")
  const owner = await signUp(it, "owner@acme.test")
  const project = (await owner.api("POST /users/@me/projects", { body: { name: "Shop" } })).body
  for (const domain of ["shop.test", "news.test"])
    await owner.api("POST /domains", { project: project.id, body: { domain } })
  await add("stays.test")
  expect([...ses.identities.keys()].sort()).toEqual(["news.test", "shop.test", "stays.test"])
  ses.next("/v2/email/identities/shop.test", sesError(503, "ServiceUnavailable", "Later"))
  expect((await owner.api(`DELETE /users/@me/projects/${project.id}`)).status).toBeLessThan(300)
  await it.settle()
  expect([...ses.identities.keys()].sort()).toEqual(["shop.test", "stays.test"])
  await it.advance({ minutes: 6 })
  expect([...ses.identities.keys()]).toEqual(["stays.test"])
})

test("A deleted domain is taken off SES also when that cannot be reached for a day", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  const failures = 20
  for (let count = 0; count < failures; count++)
    ses.next("/v2/email/identities/shop.test", sesError(503, "ServiceUnavailable", "Later"))
  await it.api(`DELETE /domains/${id}`)
  await it.settle()
  for (let hours = 0; hours < 2 * failures; hours++) await it.advance({ hours: 1 })
  expect([...ses.identities.keys()]).toEqual([])
})

test("A domain that is deleted while it is checked, and registered anew by that, is taken off SES all the same", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  ses.identities.delete("shop.test")
  it.clock.advance(1)
  const answer = Promise.withResolvers<ApiReply>()
  ses.next("/v2/email/identities/shop.test", answer.promise)
  const asked = ses.calls.length
  const checked = it.api(`GET /domains/${id}/verify`)
  await until(() => ses.calls.length > asked)
  expect((await it.api(`DELETE /domains/${id}`)).status).toBe(204)
  const settled = it.settle()
  const { kind, state } = jobTable
  const isReleasing = and(eq(kind, "domain.release"), eq(state, "running"))
  await until(async () => (await it.app.store.read.$count(jobTable, isReleasing)) > 0)
  await writesDone(it.app.store)
  answer.resolve(sesError(404, "NotFoundException", "It was deleted by hand."))
  expect((await checked).status).toBe(404)
  await settled
  await it.settle()
  expect([...ses.identities.keys()]).toEqual([])
})

test("A domain that is added while its project is deleted is taken off SES with the project", async () => {
  await start("ses://eu-west-1")
  const owner = await signUp(it, "owner@acme.test")
  const project = (await owner.api("POST /users/@me/projects", { body: { name: "Shop" } })).body.id
  beforeNextWrite(it, () => owner.api(`DELETE /users/@me/projects/${project}`))
  await owner.api("POST /domains", { project, body: { domain: "shop.test" } })
  await it.settle()
  expect([...ses.identities.keys()]).toEqual([])
  expect((await add("shop.test")).dkimTokens).toHaveLength(3)
})

test("A domain that is added again at once stays registered", async () => {
  await start("ses://eu-west-1")
  const { id } = await add("shop.test")
  await it.api(`DELETE /domains/${id}`)
  await add("shop.test")
  await it.settle()
  expect([...ses.identities.keys()]).toEqual(["shop.test"])
})

/** Another account with a project of its own, to which it has added the operator of the server, who does not know of it. */
async function tenant() {
  await signUp(it, "owner@acme.test")
  const eve = await signUp(it, "eve@evil.test")
  const project = (await eve.api("POST /users/@me/projects", { body: { name: "Eves" } })).body.id
  const member = { email: "owner@acme.test", role: "ADMIN" }
  expect((await eve.api(`POST /projects/${project}/members`, { body: member })).status).toBe(201)
  const call = async (route: string, body?: object) => (await eve.api(route, { project, ...(body && { body }) })).body
  return {
    add: (domain: string) => call("POST /domains", { domain }),
    verify: (id: string) => call(`GET /domains/${id}/verify`),
  }
}

test("A domain that the account at SES holds already is verified only in a project of the owner of the instance", async () => {
  await start("ses://eu-west-1")
  const eve = await tenant()
  for (const domain of ["operator.test", "own.test"]) {
    const tokens = { DkimAttributes: { Status: "SUCCESS", Tokens: ["a", "b", "c"] } }
    ses.identities.set(domain, { VerifiedForSendingStatus: true, ...tokens, MailFromAttributes: {}, Tags: [] })
  }
  const { id, dkimTokens } = await eve.add("operator.test")
  expect(dkimTokens).toEqual([])
  expect(await eve.verify(id)).toMatchObject({ status: "PENDING", verified: false })
  const own = await add("own.test")
  expect(await verify(own.id)).toMatchObject({ status: "VERIFIED", verified: true })
})

test("A domain that SES signs with a key of its owner lacks nothing for doctor", async () => {
  await start("ses://eu-west-1")
  const dkim = { Status: "SUCCESS", SigningAttributesOrigin: "EXTERNAL" }
  ses.identities.set("own.test", {
    VerifiedForSendingStatus: true,
    DkimAttributes: dkim,
    MailFromAttributes: {},
    Tags: [],
  })
  const own = await add("own.test")
  expect((await verify(own.id)).verified).toBe(true)
  const { domains } = await it.app.domains.inspect(10)
  const found = domains.find(({ domain }) => domain === "own.test")
  expect([found?.lacksRequired, found?.missing.includes("DKIM")]).toEqual([false, false])
})

test("A domain that another project has just deleted must be verified anew", async () => {
  await start("ses://eu-west-1")
  const eve = await tenant()
  const first = await add("shop.test")
  finds("shop.test", "SUCCESS")
  expect((await verify(first.id)).verified).toBe(true)
  await it.api(`DELETE /domains/${first.id}`)
  const { id } = await eve.add("shop.test")
  expect(await eve.verify(id)).toMatchObject({ status: "PENDING", verified: false })
  await it.settle()
  expect([...ses.identities.keys()]).toEqual([])
  expect((await eve.verify(id)).dkimTokens).toHaveLength(3)
  expect(ses.identities.get("shop.test")).toMatchObject({ Tags: [{ Key: "mailstead", Value: id }] })
  finds("shop.test", "SUCCESS")
  expect((await eve.verify(id)).verified).toBe(true)
})

test("The command that adds a domain shows no key of ours for mail that leaves by SES; the server registers it", async () => {
  await start("ses://eu-west-1")
  const printed: string[] = []
  const io = {
    env: { MAILSTEAD_MAIL_URL: "ses://eu-west-1?pool=2" },
    stdout: (text: string) => void printed.push(text),
    stderr: (text: string) => void printed.push(text),
    stdin: async () => "",
    stop: new AbortController().signal,
  }
  const args = ["domain", "add", "shop.test", "--project", it.project.id, "--data", it.folder, "--json"]
  expect([await run(args, io), printed.length]).toEqual([0, 1])
  const { records, dkimTokens } = JSON.parse(printed.join(""))
  expect([dkimTokens, records.filter(({ purpose }: Shown) => purpose === "DKIM")]).toEqual([[], []])
  await it.advance({ minutes: 6 })
  expect((await listed()).dkimTokens).toHaveLength(3)
})

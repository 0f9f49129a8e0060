import { afterAll, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { closeSync, openSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import tls from "node:tls"
import { publicKeyOf, signManifest } from "../../config/release.ts"
import { loadConfig } from "../../src/config.ts"
import { day, systemClock } from "../../src/kernel/clock.ts"
import { backupAlertStates } from "../../src/modules/backups/alert-states.ts"
import type { Backup } from "../../src/modules/backups/table.ts"
import { runChecks } from "../../src/modules/doctor/check.ts"
import { databaseChecks } from "../../src/modules/doctor/checks/database.ts"
import { domainCheck } from "../../src/modules/doctor/checks/mail.ts"
import { releaseCheck } from "../../src/modules/doctor/checks/release.ts"
import { timeCheck } from "../../src/modules/doctor/checks/time.ts"
import { tlsChecks } from "../../src/modules/doctor/checks/tls.ts"
import type { InspectedDomain } from "../../src/modules/domains/inspect.ts"
import { reverseName } from "../../src/net/dns/reverse-name.ts"
import { testCertificate } from "../harness/certificate.ts"
import { lookupsAt } from "../harness/dns-server.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { startNtpServer } from "../harness/ntp-server.ts"
import { addNote, openTestStore, scratch, until } from "../harness/store.ts"

const newFolder = scratch()
const noDns = lookupsAt(["127.0.0.1:9"])
const never = new AbortController().signal
const configWith = (options: Record<string, string>) => loadConfig({ mode: "serve", options }).config

test("the newest release is told by its signed manifest, and by nothing else", async () => {
  const { privateKey } = generateKeyPairSync("ed25519")
  let manifest = { version: "0.2.0", by: privateKey }
  const host = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      Response.json(signManifest({ product: "mailstead", version: manifest.version, archives: {} }, manifest.by)),
  })
  const look = (url: string | null, key: string | null = publicKeyOf(privateKey)) =>
    releaseCheck(url, { version: "0.2.0", trust: { key } }).run(never)
  const url = host.url.href
  expect(await look(null)).toEqual({ status: "ok", message: "It is not known, because update.url is not set." })
  expect(await look(url, null)).toMatchObject({ status: "warn", message: expect.stringContaining("without a key") })
  expect(await look(url)).toEqual({ status: "ok", message: "0.2.0 is the newest one." })
  manifest = { version: "0.3.0", by: privateKey }
  expect(await look(url)).toEqual({ status: "warn", message: "0.3.0 is there; this is 0.2.0: run mailstead update." })
  manifest = { version: "9.0.0", by: generateKeyPairSync("ed25519").privateKey }
  expect(await look(url)).toMatchObject({ status: "warn", message: expect.stringContaining("signature") })
  await host.stop(true)
  expect(await look(url)).toMatchObject({ status: "warn", message: expect.stringContaining("cannot be reached") })
})

test("a check that throws fails, one that is late is a warning, and the others are reported", async () => {
  const clock = createFakeClock()
  const late = Promise.withResolvers<AbortSignal>()
  const report = runChecks(
    [
      { name: "good", run: () => ({ status: "ok", message: "Fine." }) },
      { name: "broken", run: () => Promise.reject(new Error("no luck")) },
      {
        name: "thrown",
        run: () => {
          throw new Error("no luck")
        },
      },
      {
        name: "late",
        run: (abort) => {
          late.resolve(abort)
          return new Promise(() => {})
        },
      },
    ],
    clock,
    5_000,
  )
  const abort = await late.promise
  expect(abort.aborted).toBe(false)
  await clock.advance(5_000)
  expect(abort.aborted).toBe(true)
  expect((await report).map(({ name, status }) => [name, status])).toEqual([
    ["good", "ok"],
    ["broken", "fail"],
    ["thrown", "fail"],
    ["late", "warn"],
  ])
})

test.each([
  ["192.0.2.7", "7.2.0.192.in-addr.arpa"],
  ["2001:db8::567:89ab", "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"],
  ["::ffff:192.0.2.1", "1.0.2.0.0.0.0.c.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa"],
])("the names of %s are at %s (RFC 3596)", (address, name) => {
  expect(reverseName(address)).toBe(name)
})

const now = Date.UTC(2026, 0, 31)
const done: Backup = {
  id: "0199c0de-0000-7000-8000-000000000001",
  name: "mailstead.tar.zst",
  state: "DONE",
  encrypted: false,
  hasSecret: false,
  bytes: 1,
  reason: null,
  startedAt: now,
  endedAt: now,
}

test("a database that is not read to its end in time is too large for it", async () => {
  const clock = createFakeClock()
  const [check] = checksOf({ faults: () => new Promise(() => {}) })
  const report = runChecks(check ? [check] : [], clock, 5_000)
  await clock.advance(5_000)
  expect(await report).toEqual([{ name: "database", status: "warn", message: expect.stringContaining("too large") }])
})

const checksOf = (store: Parameters<typeof databaseChecks>[0]["store"], backups: Backup[] = [], isScheduled = false) =>
  databaseChecks({
    store,
    clock: { ...systemClock, now: () => now },
    backups: { list: async () => backups.map((row) => ({ ...row, available: true })), folderFault: () => undefined },
    isScheduled,
  })

test.each([
  ["nobody takes any", [], false, "warn", /^No backup is scheduled/],
  ["they are scheduled", [], true, "ok", /still to come/],
  ["the last one is recent", [done], true, "ok", /recent/],
  ["the last one is old", [{ ...done, endedAt: now - 3 * day }], true, "warn", /3 days ago/],
  [
    "the bucket has no copy",
    [{ ...done, reason: "It is not in the bucket: 403." }],
    true,
    "fail",
    /this machine only \(It is/,
  ],
  [
    "the last one failed",
    [{ ...done, state: "FAILED", reason: "The disk is full." }, done],
    true,
    "fail",
    /disk is full/,
  ],
] as const)("backups are looked at: %s", async (_, backups, isScheduled, status, message) => {
  const store = { faults: async () => [] }
  const found = await checksOf(store, [...backups], isScheduled)[1]?.run(never)
  expect(found).toEqual({ status, message: expect.stringMatching(message) })
})

const whole: InspectedDomain = {
  domain: "acme.test",
  verified: true,
  missing: [],
  lacksRequired: false,
  awaitsProvider: false,
  isUnanswered: false,
}

test.each([
  ["all of it", {}, "ok", "Its records are published."],
  ["no SPF", { missing: ["SPF"] }, "warn", "Not found in the DNS: SPF; publish"],
  ["no return path and no DMARC", { missing: ["RETURN_PATH", "DMARC"] }, "warn", "DNS: return path, DMARC; publish"],
  ["no place for incoming mail", { missing: ["INBOUND"] }, "warn", "Not found in the DNS: incoming mail;"],
  ["no DKIM", { missing: ["DKIM", "SPF"], lacksRequired: true }, "fail", "Not found in the DNS: DKIM, SPF;"],
  ["what it needs, but is not verified", { verified: false }, "warn", "It is not verified, so nothing is sent from it"],
  ["what the DNS has answered", { isUnanswered: true }, "warn", "The DNS did not answer for all of its records"],
] as const)("a sender domain that has %s is told by its name", async (_, fields, status, message) => {
  const inspect = async () => ({ total: 1, domains: [{ ...whole, ...fields }] })
  expect(await domainCheck(inspect).run(never)).toEqual([
    { name: "domain acme.test", status, message: expect.stringContaining(message) },
  ])
})

test("without a sender domain the doctor asks for one; of very many it tells how many it did not look at", async () => {
  const of = (total: number, domains: InspectedDomain[]) => domainCheck(async () => ({ total, domains })).run(never)
  expect(await of(0, [])).toMatchObject({ status: "warn", message: expect.stringContaining("no sender domain yet") })
  expect(await of(12, [whole])).toEqual([
    expect.objectContaining({ name: "domain acme.test" }),
    { name: "domains", status: "ok", message: "11 more domains were not looked at." },
  ])
})

test.each([
  ["nothing was taken yet", [], []],
  ["the last one is whole", [done, { ...done, state: "FAILED", reason: "Full." }], [false]],
  ["the last one failed", [{ ...done, state: "RUNNING" }, { ...done, state: "FAILED", reason: "Full." }, done], [true]],
  ["the bucket has no copy", [{ ...done, reason: "It is not in the bucket: 403" }], [true]],
] as const)("a backup that is missing is an alert: %s", (_, rows, active) => {
  expect(backupAlertStates([...rows]).map((each) => each.active)).toEqual([...active])
})

test("a damaged database is found", async () => {
  const folder = newFolder()
  const store = await openTestStore(folder)
  expect(await checksOf(store)[0]?.run(never)).toMatchObject({ status: "ok" })
  await store.write("instance", async (unit) => {
    for (let at = 0; at < 500; at++) await addNote(unit, `${at}`.repeat(50))
  })
  await store.close()
  const path = join(folder, "mailstead.db")
  const [file, { size }] = [openSync(path, "r+"), statSync(path)]
  // The last pages are those of the notes, which nothing reads at the start.
  for (let page = size / 4_096 - 8; page * 4_096 < size; page++)
    writeSync(file, Buffer.alloc(64, 7), 0, 64, page * 4_096)
  closeSync(file)
  const damaged = await openTestStore(folder)
  expect(await checksOf(damaged)[0]?.run(never)).toMatchObject({ status: "fail" })
  await damaged.close()
})

test("the certificate of the public address is looked at as clients do", async () => {
  const server = tls.createServer(testCertificate).listen(0, "127.0.0.1")
  afterAll(() => server.close())
  await until(() => server.listening)
  const { port } = server.address() as { port: number }
  const verdictOn = (url: string) =>
    tlsChecks({
      config: configWith({ "http.base_url": url }),
      baseUrl: () => url,
      clock: createFakeClock(),
    })[0]?.run(never)
  expect(await verdictOn(`https://127.0.0.1:${port}`)).toMatchObject({
    status: "fail",
    message: expect.stringContaining("do not trust"),
  })
  expect(await verdictOn("https://127.0.0.1:9")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("offers no TLS"),
  })
  expect(await verdictOn("http://127.0.0.1")).toMatchObject({ status: "warn" })
  expect(tlsChecks({ config: configWith({}), baseUrl: () => "", clock: createFakeClock() })).toEqual([])
})

test("the days of the certificate for mail are counted", async () => {
  const [cert, key] = [join(newFolder(), "cert.pem"), join(newFolder(), "key.pem")]
  await Promise.all([Bun.write(cert, testCertificate.cert), Bun.write(key, testCertificate.key)])
  const end = Date.parse("2126-10-28T03:20:41Z")
  const at = (now: number) =>
    tlsChecks({
      config: configWith({ "smtp.tls_cert": cert, "smtp.tls_key": key }),
      baseUrl: () => "",
      clock: { ...createFakeClock(), now: () => now },
    })[0]?.run(never)
  expect(await at(end - 60 * day)).toMatchObject({ status: "ok", message: expect.stringContaining("60 more days") })
  expect(await at(end - 3 * day)).toMatchObject({ status: "warn" })
  expect(await at(end + day)).toMatchObject({ status: "fail" })
  await Bun.write(key, "broken")
  expect(await at(end - 60 * day)).toMatchObject({ status: "fail" })
})

test("the certificate that SMTP shows is for the name that programs are told (contract B7.3.6)", async () => {
  const [cert, key] = [join(newFolder(), "cert.pem"), join(newFolder(), "key.pem")]
  await Promise.all([Bun.write(cert, testCertificate.cert), Bun.write(key, testCertificate.key)])
  const look = (options: Record<string, string>, baseUrl = "http://127.0.0.1:3000") =>
    tlsChecks({ config: configWith(options), baseUrl: () => baseUrl, clock: createFakeClock() })
      .find(({ name }) => name === "smtp name")
      ?.run(never)
  const files = { "smtp.tls_cert": cert, "smtp.tls_key": key }
  const told = { "smtp.submission_port": "587", "smtp.hostname": "mail.example.com" }
  const message =
    "The certificate of SMTP is for localhost, not for mail.example.com, where programs submit mail, so they refuse it: get one for it, or set smtp.hostname."
  expect(await look({ ...files, ...told })).toEqual({ status: "warn", message })
  expect(await look({ ...files, "smtp.secure_port": "465" }, "https://mail.example.com")).toMatchObject({ message })
  const named = (domains: string) => look({ "http.domains": domains, ...told }, "https://www.example.com")
  expect(await named("www.example.com")).toMatchObject({ status: "warn" })
  expect(await named("www.example.com MAIL.example.com")).toMatchObject({ status: "ok" })
  // Other servers do not look at the name, and without a certificate there is none to look at.
  expect(look({ ...files, "smtp.inbound_port": "25", "smtp.hostname": "mail.example.com" })).toBeUndefined()
  expect(look(told)).toBeUndefined()
  // A name that only this machine knows is told to nobody.
  expect(look({ ...files, "smtp.submission_port": "587" })).toBeUndefined()
})

test("an answer of a time server that has not seen the request is ignored", async () => {
  const clock = createFakeClock()
  const forged = await startNtpServer(clock.now, { isForged: true })
  const check = timeCheck({ dns: noDns, clock, ntp: forged })
  expect(await check.run(never)).toEqual({ status: "ok", message: "The clock is right." })
  await forged.stop()
  const unknown = { status: "warn", message: expect.stringContaining("No time server") }
  expect(await check.run(never)).toMatchObject(unknown)
  // The system refuses it at once, as it does an address without a route.
  const beyond = { address: "255.255.255.255", port: 123 }
  expect(await timeCheck({ dns: noDns, clock, ntp: beyond }).run(never)).toMatchObject(unknown)
})

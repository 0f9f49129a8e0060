import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { day, minute } from "../../src/kernel/clock.ts"
import { createLog } from "../../src/kernel/log.ts"
import { createSafeFetch } from "../../src/net/safe-fetch.ts"
import { accountKeyOf, newKey, pemOf } from "../../src/tls/acme/account-key.ts"
import { type AcmeFolder, type Attempts, type KeptCertificate, purposeOf } from "../../src/tls/acme/folder.ts"
import { createAcmeCertificates } from "../../src/tls/acme/renewal.ts"
import { advised, createJumpingClock, notObtained, obtained } from "../harness/acme.ts"
import { type AcmeServer, startAcmeServer } from "../harness/acme-server.ts"
import { testCertificate } from "../harness/certificate.ts"

const names = ["mail.example.com"]
const challenges = new Map<string, string>()
let authority: AcmeServer
let plain: ReturnType<typeof Bun.serve>
beforeEach(() => {
  authority = startAcmeServer()
  plain = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => new Response(challenges.get(url.split("/").at(-1) ?? "") ?? "nothing"),
  })
  authority.plainPort = plain.port ?? 0
})
afterEach(async () => {
  await authority.stop()
  await plain.stop(true)
})

/** Certificates whose files are in memory, on a disk that may be full. */
function start({ full = {}, attempts }: { full?: { attempts?: true; certificate?: true }; attempts?: Attempts } = {}) {
  const clock = createJumpingClock()
  const account = accountKeyOf(pemOf(newKey()))
  const disk = { isReadable: true }
  const kept: { attempts: Attempts | undefined; certificate?: KeptCertificate } = { attempts }
  const folder: AcmeFolder = {
    account() {
      if (!disk.isReadable) throw new Error("The account key cannot be read.")
      return account
    },
    attempts: () => kept.attempts,
    certificate: () => kept.certificate,
    keepAttempts(attempts) {
      if (full.attempts) throw new Error("The disk is full.")
      kept.attempts = attempts
    },
    keepCertificate(certificate) {
      if (full.certificate) throw new Error("The disk is full.")
      kept.certificate = certificate
    },
  }
  const watchers: { text: string; resolve: (reason: unknown) => void }[] = []
  const log = createLog((_level, text, { reason }) => {
    for (const watcher of watchers) if (watcher.text === text) setImmediate(watcher.resolve, reason)
  }, "debug")
  const fetch = createSafeFetch({
    dns: { addresses: async () => ({ kind: "none" }) as never },
    clock,
    allow: ["127.0.0.1"],
    ca: testCertificate.cert,
  })
  const certificates = createAcmeCertificates(
    { names, directory: authority.directory, email: null },
    { folder, fetch, clock, log, random: () => 0.5, challenges },
  )
  certificates.open()
  const logged = (text: string) => new Promise((resolve) => watchers.push({ text, resolve }))
  return { certificates, clock, kept, logged, full, disk }
}

describe("on a disk that is full", () => {
  test("nobody is asked, because what comes of it could not be kept", async () => {
    const it = start({ full: { attempts: true } })
    const failed = it.logged(notObtained)
    it.certificates.start()
    expect(await failed).toBe("The disk is full.")
    expect(authority.asked).toEqual([])
    delete it.full.attempts
    const succeeded = it.logged(obtained)
    it.clock.jump(2 * minute)
    await succeeded
    await it.certificates.stop()
  })

  test("a certificate that cannot be stored is used all the same, and no other one is ordered", async () => {
    const it = start({ full: { certificate: true } })
    const failed = it.logged(notObtained)
    it.certificates.start()
    expect(await failed).toBe("The disk is full.")
    expect(it.certificates.current()).toBeDefined()
    expect(it.kept.attempts).toMatchObject({ count: 1, problem: "The disk is full." })
    const looked = it.logged(advised)
    it.clock.jump(day)
    await looked
    await it.certificates.stop()
    expect(authority.orders).toHaveLength(1)
  })
})

test("an account key that cannot be read is told as a failed attempt", async () => {
  const it = start()
  const succeeded = it.logged(obtained)
  it.certificates.start()
  await succeeded
  it.disk.isReadable = false
  const failed = it.logged(notObtained)
  it.clock.jump(80 * day)
  expect(await failed).toBe("The account key cannot be read.")
  expect(it.kept.attempts).toMatchObject({ count: 1, problem: "The account key cannot be read." })
  await it.certificates.stop()
})

test("attempts that a wrong clock put far into the future are made now", async () => {
  const of = purposeOf(authority.directory, names)
  const attempts = { of, count: 3, problem: "Something", nextAt: Date.now() + 400 * day }
  const it = start({ attempts })
  const succeeded = it.logged(obtained)
  it.certificates.start()
  await succeeded
  expect(it.kept.attempts).toMatchObject({ count: 0, problem: null })
  await it.certificates.stop()
})

test("the pauses between failures grow to half a day", async () => {
  authority.next("newOrder", ...Array.from({ length: 10 }, () => ({ type: "serverInternal", status: 500 })))
  const it = start()
  const pauses: number[] = []
  for (let count = 1; count <= 9; count++) {
    const failed = it.logged(notObtained)
    if (count === 1) it.certificates.start()
    else it.clock.jump((it.kept.attempts?.nextAt ?? 0) - it.clock.now() + minute)
    await failed
    pauses.push(Math.round(((it.kept.attempts?.nextAt ?? 0) - it.clock.now()) / minute))
  }
  await it.certificates.stop()
  expect(pauses).toEqual([1, 5, 15, 60, 120, 240, 480, 720, 720])
})

test("stopping in the middle of an attempt does not count as a failure", async () => {
  const gate = Promise.withResolvers<void>()
  authority.next("newOrder", gate.promise)
  const it = start()
  const reached = authority.received("newOrder")
  it.certificates.start()
  await reached
  await it.certificates.stop()
  gate.resolve()
  expect(it.kept.attempts).toMatchObject({ count: 0, nextAt: 0, problem: null })
})

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { day, hour, minute, second } from "../../src/kernel/clock.ts"
import { createLog } from "../../src/kernel/log.ts"
import { createSafeFetch } from "../../src/net/safe-fetch.ts"
import { accountKeyOf, newKey, pemOf } from "../../src/tls/acme/account-key.ts"
import { type AcmeFolder, type Attempts, type KeptCertificate, purposeOf } from "../../src/tls/acme/folder.ts"
import { createAcmeCertificates } from "../../src/tls/acme/renewal.ts"
import { askedWhenToRenew, createJumpingClock, notObtained, obtained } from "../harness/acme.ts"
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

interface StartOptions {
  readonly full?: { attempts?: true; certificate?: true }
  readonly attempts?: Attempts | undefined
  readonly certificate?: KeptCertificate | undefined
  /** By how much the clock is ahead of that of the authority. */
  readonly ahead?: number
}

/** Certificates whose files are in memory, on a disk that may be full. */
function start({ full = {}, attempts, certificate, ahead = 0 }: StartOptions = {}) {
  const clock = createJumpingClock()
  clock.jump(ahead)
  const account = accountKeyOf(pemOf(newKey()))
  const disk = { isReadable: true }
  const kept: { attempts: Attempts | undefined; certificate: KeptCertificate | undefined } = { attempts, certificate }
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
    const looked = it.logged(askedWhenToRenew)
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

test("a certificate that is due for renewal when it comes is used, and not ordered again every minute (contract A8.6.9)", async () => {
  const ahead = start({ ahead: 80 * day })
  const pauses: number[] = []
  for (let count = 1; count <= 4; count++) {
    const failed = ahead.logged(notObtained)
    if (count === 1) ahead.certificates.start()
    else ahead.clock.jump((ahead.kept.attempts?.nextAt ?? 0) - ahead.clock.now() + minute)
    expect(await failed).toMatch(/^The new certificate is valid from .+ to .+ set the clock if it is wrong\.$/)
    pauses.push(Math.round(((ahead.kept.attempts?.nextAt ?? 0) - ahead.clock.now()) / minute))
  }
  await ahead.certificates.stop()
  expect(ahead.certificates.current()?.cert).toContain("BEGIN CERTIFICATE")
  expect([pauses, authority.orders.length]).toEqual([[1, 5, 15, 60], 4])

  const { attempts, certificate } = ahead.kept
  expect(attempts).toMatchObject({ count: 4 })
  const corrected = start({ attempts, certificate })
  const looked = corrected.logged(askedWhenToRenew)
  corrected.certificates.start()
  await looked
  await corrected.certificates.stop()
  expect(corrected.kept.attempts).toMatchObject({ count: 0, problem: null })
  expect(authority.orders).toHaveLength(4)
})

test("an authority that always advises to renew at once is followed once a day (contract A8.6.9)", async () => {
  authority.window = [Date.now() - 10 * day, Date.now() - 9 * day]
  const it = start()
  let done = it.logged(obtained)
  it.certificates.start()
  await done
  for (let look = 0; look < 3; look++) {
    const looked = it.logged(askedWhenToRenew)
    it.clock.jump(7 * hour)
    await looked
  }
  await it.clock.sleep(10 * second, new AbortController().signal)
  expect(authority.orders).toHaveLength(1)
  done = it.logged(obtained)
  it.clock.jump(3 * hour)
  await done
  await it.certificates.stop()
  expect(authority.orders).toHaveLength(2)
})

test("an order is looked at once a second at most, whatever Retry-After says", async () => {
  authority.pause = "Thu, 01 Jan 2026 00:00:00 GMT"
  authority.next("order", "pending", "pending")
  const it = start()
  const pauses: number[] = []
  const { sleep } = it.clock
  Object.assign(it.clock, {
    sleep: (ms: number, abort: AbortSignal) => {
      pauses.push(ms)
      return sleep(ms, abort)
    },
  })
  const succeeded = it.logged(obtained)
  it.certificates.start()
  await succeeded
  await it.certificates.stop()
  expect(pauses.filter((ms) => ms < second)).toEqual([])
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

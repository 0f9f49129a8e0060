import { describe, expect, onTestFinished, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AlertState } from "../../src/kernel/alert-state.ts"
import { changesIn } from "../../src/modules/alerts/rules.ts"
import { queueAlertStates } from "../../src/modules/emails/figures/alert-states.ts"
import type { QueueFigures } from "../../src/modules/emails/figures/counts.ts"
import type { Machine } from "../../src/store/machine.ts"
import { pauseSending } from "../../src/store/sending-pause.ts"
import { signUp } from "../harness/accounts.ts"
import { appOfTest, type TestApp, type TestOptions } from "../harness/app.ts"
import { renewedCertificate, testCertificate } from "../harness/certificate.ts"
import { startSink } from "../harness/smtp-sink.ts"

const gigabyte = 1024 ** 3

/** A server whose disk has `disk.free` bytes and room for `disk.files` more files, with a webhook; alerts that were told are in `told`. */
async function start(options: TestOptions = {}) {
  const disk = { free: 20 * gigabyte, files: 1_000_000 as number | undefined }
  const told: { key: string; state: string; text: string; sentence: string }[] = []
  const answers: number[] = []
  const hook = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const status = answers.shift() ?? 200
      if (status === 200) told.push((await request.json()) as (typeof told)[number])
      return new Response(null, { status })
    },
  })
  onTestFinished(() => hook.stop(true))
  const machine: Machine = {
    folder: () => undefined,
    freeBytes: () => disk.free,
    freeFiles: () => disk.files,
    server: () => undefined,
    openFilesLimit: () => undefined,
  }
  const common: TestOptions = {
    settings: {
      "system_mail.from": "server@acme.test",
      "alerts.webhook": `http://127.0.0.1:${hook.port}/secret`,
      ...options.settings,
    },
    overrides: { examined: { machine } },
    ...(options.realTransports && { realTransports: true }),
  }
  const it = await appOfTest(common)
  const again = async (): Promise<TestApp> => {
    await it.stop()
    const { folder, clock, ids } = it
    const next = await appOfTest({ ...common, folder, clock, ids })
    return next
  }
  return { it, disk, told, answers, again }
}

/** Looks at the states, and lets mail and webhook leave. */
async function look(it: TestApp): Promise<void> {
  await it.settle()
  await it.settle()
}

describe("alerts (contract B8.3.24)", () => {
  test("tell the owner once that the disk is low and once that it is not, also over a restart", async () => {
    const { it, disk, told, again } = await start()
    const owner = await signUp(it, "owner@acme.test")
    await look(it)
    expect(told).toEqual([])
    disk.free = gigabyte / 10
    await look(it)
    await it.advance({ minutes: 5 })
    expect(told.map(({ key, state }) => [key, state])).toEqual([["disk", "began"]])
    expect(told[0]?.text).toMatch(/^Alert: Only 102 MB are free .*\/app\/instance\/health$/)
    const mails = () => it.sent().filter(({ to }) => to.address === "owner@acme.test")
    expect(mails().map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Alert: Only 102 MB are free/)])
    expect((await owner.api("GET /instance/alerts")).body.data).toEqual([
      { key: "disk", sentence: told[0]?.sentence, since: expect.any(String) },
    ])

    const next = await again()
    await look(next)
    disk.free = 600 * 1_048_576
    await look(next)
    expect(told).toHaveLength(1)
    disk.free = gigabyte
    await look(next)
    await look(next)
    expect(told.map(({ key, state }) => [key, state])).toEqual([
      ["disk", "began"],
      ["disk", "ended"],
    ])
    expect(next.sent().map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Over: Only 102 MB are free/)])
  })

  test("tell that the disk has space, but room for few more files, where the file system limits them", async () => {
    const { it, disk, told } = await start()
    disk.files = undefined
    await look(it)
    disk.files = 999
    await look(it)
    disk.files = 1_500
    await look(it)
    expect(told.map(({ key, state }) => [key, state])).toEqual([["disk", "began"]])
    expect(told[0]?.text).toStartWith("Alert: The disk of the data folder has room for only 999 more files (df -i)")
    disk.files = 2_000
    await look(it)
    expect(told.map(({ key, state }) => [key, state]).at(-1)).toEqual(["disk", "ended"])
  })

  test("tell that the certificate of SMTP cannot be used, until it can (contract B9.6.8)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mailstead-test-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
    writeFileSync(cert, testCertificate.cert)
    writeFileSync(key, testCertificate.key)
    const { it, told } = await start({ settings: { "smtp.tls_cert": cert, "smtp.tls_key": key } })
    await look(it)
    expect(told).toEqual([])
    writeFileSync(cert, renewedCertificate.cert)
    await look(it)
    writeFileSync(key, renewedCertificate.key)
    await look(it)
    const sentence = expect.stringMatching(/^The certificate of SMTP cannot be used: the key .+ is not that of the /)
    expect(told).toMatchObject([
      { key: "smtp certificate", state: "began", sentence },
      { key: "smtp certificate", state: "ended" },
    ])
  })

  test("mail about a transport leaves by that of bulk mail, where there is one", async () => {
    const [relay, other] = [await startSink(), await startSink()]
    onTestFinished(() => other.stop())
    const settings = {
      "mail.transactional": "relay",
      "mail.bulk": "other",
      "transports.relay.url": `smtp://127.0.0.1:${relay.port}`,
      "transports.other.url": `smtp://127.0.0.1:${other.port}`,
    }
    const { it } = await start({ settings, realTransports: true })
    await signUp(it, "owner@acme.test")
    await look(it)
    await relay.stop()
    await it.api("POST /v1/send", { body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" } })
    await look(it)
    await it.advance({ minutes: 11 })
    await look(it)
    expect(other.messages.map(({ to }) => to)).toEqual([["owner@acme.test"]])
  })

  test("a transport that fails for ten minutes begins one; a restart does not end it, mail that leaves does", async () => {
    const relay = await startSink()
    onTestFinished(() => relay.stop())
    const settings = { "mail.url": `smtp://127.0.0.1:${relay.port}` }
    const { it, told, again } = await start({ settings, realTransports: true })
    const send = (from: TestApp) =>
      from.api("POST /v1/send", { body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" } })
    const states = () => told.filter(({ key }) => key.startsWith("transport ")).map(({ state }) => state)
    await relay.stop()
    await send(it)
    await look(it)
    await it.advance({ minutes: 9 })
    expect(states()).toEqual([])
    await it.advance({ minutes: 2 })
    await look(it)
    expect(states()).toEqual(["began"])
    expect(told[0]?.sentence).toContain("connection refused")

    const next = await again()
    await look(next)
    expect(states()).toEqual(["began"])
    await relay.start()
    await next.advance({ minutes: 20 })
    await look(next)
    expect(states()).toEqual(["began", "ended"])
  })

  test("one that works again, while mail goes by another, is found by asking it", async () => {
    const [first, second] = [await startSink(), await startSink()]
    onTestFinished(() => first.stop())
    onTestFinished(() => second.stop())
    const settings = { "mail.url": `smtp://127.0.0.1:${first.port} smtp://127.0.0.1:${second.port}` }
    const { it, told } = await start({ settings, realTransports: true })
    await first.stop()
    await it.api("POST /v1/send", { body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" } })
    await look(it)
    await it.advance({ minutes: 11 })
    await look(it)
    const key = `transport smtp://127.0.0.1:${first.port}`
    expect(told.map(({ key, state }) => [key, state])).toEqual([[key, "began"]])
    await first.start()
    await look(it)
    expect(told.map(({ key, state }) => [key, state])).toEqual([
      [key, "began"],
      [key, "ended"],
    ])
    expect([first.messages.length, second.messages.length]).toEqual([0, 1])
  })

  describe("of the queue", () => {
    const queueOf = (told: { key: string; state: string }[]) =>
      told.filter(({ key }) => key.startsWith("queue ")).map(({ key, state }) => `${key} ${state}`)
    const send = (it: TestApp, to: string) =>
      it.api("POST /v1/send", {
        body: { to, from: "hi@acme.test", subject: "Hi", body: "Hi" },
      })
    const ageOf = async (it: TestApp): Promise<number> =>
      (await it.app.emails.queues()).find(({ lane }) => lane === "transactional")?.oldestMs ?? -1

    async function startWithRelay(settings: TestOptions["settings"] = {}) {
      const relay = await startSink()
      onTestFinished(() => relay.stop())
      const all = { "mail.url": `smtp://127.0.0.1:${relay.port}`, ...settings }
      return {
        relay,
        ...(await start({ settings: all, realTransports: true })),
      }
    }
    /** Minutes pass one after the other, so that every retry has its time. */
    async function pass(it: TestApp, minutes: number): Promise<void> {
      for (let at = 0; at < minutes; at += 5) {
        await it.advance({ minutes: 5 })
        await look(it)
      }
    }

    test("begins when a relay postpones all mail, and ends when it takes it", async () => {
      const { it, relay, told } = await startWithRelay()
      await send(it, "first@example.com")
      await look(it)
      expect(relay.messages).toHaveLength(1)
      await it.advance({ minutes: 1 })
      relay.always("rcpt", "451 4.3.0 later")
      await send(it, "a@example.com")
      await pass(it, 10)
      expect(queueOf(told)).toEqual([])
      await pass(it, 10)
      expect(queueOf(told)).toEqual(["queue transactional began"])
      expect(told.at(-1)?.sentence).toMatch(/^Mail has waited for \d+ minutes and 1 message waits \(transactional\): /)
      expect(await ageOf(it)).toBeGreaterThanOrEqual(20 * 60_000)
      await pass(it, 40)
      relay.always("rcpt", undefined)
      await pass(it, 60)
      expect(relay.messages).toHaveLength(2)
      expect(queueOf(told)).toEqual(["queue transactional began", "queue transactional ended"])
      expect(await ageOf(it)).toBe(0)
    })

    test("names the pause of sending for which mail waits (contract B8.3.26)", async () => {
      const { it, told } = await startWithRelay()
      pauseSending(it.folder, { since: it.clock.now(), takenAt: undefined })
      await send(it, "a@example.com")
      await pass(it, 20)
      expect(queueOf(told)).toEqual(["queue transactional began"])
      expect(told.at(-1)?.sentence).toMatch(
        /1 message waits \(transactional\): sending is paused, and mailstead doctor says why\.$/,
      )
    })

    test("does not begin for one recipient whose server postpones mail while other mail leaves, but for ten", async () => {
      const { it, relay, told } = await startWithRelay()
      relay.always("rcpt", (line) => (line.includes("slow") ? "451 4.7.1 greylisted" : undefined))
      await send(it, "slow@example.com")
      await it.advance({ minutes: 5 })
      await send(it, "quick@example.com")
      await pass(it, 30)
      expect(await ageOf(it)).toBeGreaterThanOrEqual(30 * 60_000)
      expect(queueOf(told)).toEqual([])
      for (let at = 0; at < 10; at++) await send(it, `slow${at}@example.com`)
      await it.advance({ minutes: 5 })
      await send(it, "quick@example.com")
      await pass(it, 20)
      expect(queueOf(told)).toEqual(["queue transactional began"])
    })
  })

  test("the webhook is called again until it takes the alert", async () => {
    const { it, disk, told, answers } = await start()
    answers.push(500, 302)
    disk.free = 0
    await look(it)
    await it.advance({ minutes: 2 })
    expect(told).toEqual([])
    await it.advance({ minutes: 2 })
    expect(told.map(({ state }) => state)).toEqual(["began"])
    expect(JSON.stringify(it.complaints)).not.toContain("/secret")
  })

  test("the address of a webhook that does not answer in HTTP is not in the log", async () => {
    const hook = createServer((socket) => socket.end("220 mail.example.com ESMTP\r\n"))
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => hook.close())
    const { port } = hook.address() as { port: number }
    const { it, disk } = await start({ settings: { "alerts.webhook": `http://127.0.0.1:${port}/secret` } })
    disk.free = 0
    await look(it)
    const told = it.complaints.map(({ fields }) => fields.reason)
    expect(told).toContain("the answer cannot be read (Malformed_HTTP_Response)")
    expect(JSON.stringify(it.complaints)).not.toContain("/secret")
  })

  test("the webhook hears that an alert began before it hears that it ended, and that it began again", async () => {
    const { it, disk, told, answers } = await start()
    const states = () => told.map(({ state }) => state)
    answers.push(503, 503, 503)
    disk.free = 0
    await look(it)
    disk.free = 2 * gigabyte
    await it.advance({ seconds: 1 })
    await look(it)
    expect([answers, states()]).toEqual([[503, 503], []])
    disk.free = 0
    await it.advance({ seconds: 1 })
    await look(it)
    expect(states()).toEqual([])
    for (let minute = 0; minute < 5; minute++) await it.advance({ minutes: 1 })
    expect(states()).toEqual(["began", "ended", "began"])
  })

  test("the webhook gets the alert also when it was away for a day", async () => {
    const { it, disk, told, answers } = await start()
    answers.push(...Array.from({ length: 20 }, () => 503))
    disk.free = 0
    await look(it)
    for (let hour = 0; hour < 24; hour++) await it.advance({ hours: 1 })
    expect([answers, told.map(({ state }) => state)]).toEqual([[], ["began"]])
  })
})

const alert = { key: "a", sentence: "A.", since: 1 }
const state = (active: AlertState["active"], key = "a"): AlertState => ({ key, active, sentence: "A." })

test.each<[string, boolean, AlertState[], boolean, number, number]>([
  ["begins", false, [state(true)], true, 1, 0],
  ["goes on", true, [state(true)], true, 0, 0],
  ["ends", true, [state(false)], true, 0, 1],
  ["stays while it cannot be told", true, [state(undefined)], true, 0, 0],
  ["does not begin while it cannot be told", false, [state(undefined)], true, 0, 0],
  ["ends when nobody reports it any more", true, [], true, 0, 1],
  ["stays when not everybody could be asked", true, [state(false, "b")], false, 0, 0],
  ["goes on while one of two of the same name is active", true, [state(true), state(false)], true, 0, 0],
  ["stays while one of two of the same name is unknown", true, [state(undefined), state(false)], true, 0, 0],
])("an alert %s", (_, isKnown, found, isComplete, begun, ended) => {
  const changes = changesIn(isKnown ? [alert] : [], found, isComplete)
  expect([changes.begun.length, changes.ended.length]).toEqual([begun, ended])
})

const queue = (figures: Partial<QueueFigures>): QueueFigures => ({
  lane: "transactional",
  waiting: 100,
  oldestMs: 3_600_000,
  deferred: 0,
  unservedMs: 0,
  ...figures,
})

test.each<[string, Partial<QueueFigures>, boolean | undefined]>([
  ["was handed over nothing for 15 minutes", { unservedMs: 900_000 }, true],
  ["was handed over nothing for 14 minutes", { unservedMs: 840_000 }, undefined],
  ["only waits for the limit of its project", {}, false],
  ["has ten old messages that were tried", { deferred: 10 }, true],
  ["has nine of them", { deferred: 9 }, undefined],
  ["has four of them", { deferred: 4 }, false],
  ["belongs to a process that has just started", { unservedMs: undefined }, undefined],
])("the alert of a queue that %s", (_, figures, active) => {
  expect(queueAlertStates([queue(figures)]).map((each) => each.active)).toEqual([active])
  expect(queueAlertStates([queue({ ...figures, lane: "bulk" })])).toEqual([])
})

import { afterEach, beforeEach, expect, test } from "bun:test"
import { createPlugins } from "../../plugins/index.ts"
import { minute } from "../../src/kernel/clock.ts"
import { silentLog } from "../../src/kernel/log.ts"
import { sent } from "../../src/mail/transport.ts"
import { createTransports, type Transports } from "../../src/mail/transports.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createFakeClock, type FakeClock } from "../harness/fake-clock.ts"
import { accept, marketing, rowOf, send } from "../harness/mails.ts"
import { type PostmarkServer, startPostmark } from "../harness/postmark-server.ts"
import { type SesServer, sesError, startSes } from "../harness/ses-server.ts"

let ses: SesServer
let postmark: PostmarkServer
let clock: FakeClock
let it: TestApp
let transports: Transports

beforeEach(async () => {
  ;[ses, postmark] = await Promise.all([startSes(), startPostmark()])
  clock = createFakeClock()
})
afterEach(async () => {
  await it.close()
  await transports.close()
  await Promise.all([ses.stop(), postmark.stop()])
})

/** Transactional mail leaves by the first, bulk mail by the second. */
async function start(transactional: string[], bulk: string[]): Promise<void> {
  transports = await createTransports(
    {
      mail: { url: [], transactional: "fast", bulk: "news" },
      transports: { fast: { url: transactional, maxPerSecond: null }, news: { url: bulk, maxPerSecond: null } },
    },
    { plugins: createPlugins(async () => sent(null)), tools: { log: silentLog, env: (name) => ses.env[name] }, clock },
  )
  it = await startTestApp({ clock, overrides: { transports } })
}

test("each lane leaves by its own provider, and the provider's id is that of the record", async () => {
  await start(["ses://eu-west-1"], [postmark.transportUrl()])
  const [one] = await send(it, "accept@example.com")
  const [two] = await accept(it, marketing, "accept+news@example.com")
  await it.settle()
  expect(await rowOf(it, one)).toMatchObject({ status: "SENT", providerId: expect.stringMatching(/^010201-/) })
  expect(await rowOf(it, two)).toMatchObject({ status: "SENT", providerId: expect.stringMatching(/^b7bc2f4a-/) })
  expect(postmark.messages.map(({ MessageStream }) => MessageStream)).toEqual(["broadcast"])
})

test("an answer that is lost repeats transactional mail under its Message-ID, and never bulk mail (contract B1.6.6)", async () => {
  await start([postmark.transportUrl()], [postmark.transportUrl()])
  const [one] = await send(it, "lose@example.com")
  await it.settle()
  const [two] = await accept(it, marketing, "lose+news@example.com")
  await it.settle()
  expect(await rowOf(it, two)).toMatchObject({ status: "FAILED", error: "outcome_unknown" })
  expect(await rowOf(it, one)).toMatchObject({ status: "PENDING", attempt: 1, dueAt: clock.now() + minute })
  await it.advance({ minutes: 1 })
  const idOf = ({ Headers }: (typeof postmark.messages)[number]) =>
    Headers.find(({ Name }) => Name === "Message-ID")?.Value
  const toOne = postmark.messages.filter(({ To }) => To === "lose@example.com").map(idOf)
  expect([toOne.length, new Set(toOne).size]).toEqual([2, 1])
  expect(postmark.messages.filter(({ To }) => To === "lose+news@example.com")).toHaveLength(1)
})

test("a spent quota keeps mail for an hour and loses none of it", async () => {
  await start(["ses://eu-west-1"], ["ses://eu-west-1"])
  ses.account = { ...ses.account, SendQuota: { Max24HourSend: 100, MaxSendRate: 1_000, SentLast24Hours: 100 } }
  const [id] = await send(it, "accept@example.com")
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", dueAt: clock.now() + 60 * minute })
  // Of a campaign that is larger than the quota, most waits for longer than the retries after a failure take.
  for (let hours = 0; hours < 40; hours++) await it.advance({ hours: 1 })
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 0 })
  ses.account = { ...ses.account, SendQuota: { Max24HourSend: 100, MaxSendRate: 1_000, SentLast24Hours: 10 } }
  await it.advance({ minutes: 60 })
  expect((await rowOf(it, id)).status).toBe("SENT")
})

test("a provider that pauses the account hands its mail to the next one, once", async () => {
  await start(["ses://eu-west-1", postmark.transportUrl()], ["ses://eu-west-1"])
  ses.next("/v2/email/outbound-emails", sesError(400, "SendingPausedException", "Paused."))
  const [id] = await send(it, "accept@example.com")
  await it.settle()
  expect((await rowOf(it, id)).status).toBe("SENT")
  expect([ses.messages.length, postmark.messages.length]).toEqual([0, 1])
})

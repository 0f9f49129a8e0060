import { describe, expect, onTestFinished, test } from "bun:test"
import type { Outgoing, Receipt } from "../../src/mail/transport.ts"
import { buildTransport } from "../contracts/build.ts"
import { messageTo } from "../contracts/messages.ts"
import { type SinkOptions, type SinkStage, type SinkStep, type SmtpSink, startSink } from "../harness/smtp-sink.ts"

/** Short timeouts, for servers that hang. */
const hasty = "&connect_timeout=1&timeout=1"

/** A server and a transport to it. */
async function start(options: SinkOptions = {}, query = "") {
  const sink = await startSink(options)
  const built = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=2${query}`)
  onTestFinished(() => built.transport.close())
  onTestFinished(() => sink.stop())
  return { sink, ...built }
}

// A label of 64 letters: resolvers refuse it without a query.
const tooLong = "a".repeat(64)
const small = (): Outgoing => messageTo("ada@example.com")
/** Much more than all buffers on the way to the server. */
const large = (): Outgoing => messageTo("ada@example.com", { html: `<p>${"lorem ipsum ".repeat(1_300_000)}</p>` })
const reasonIn = (receipt: Receipt): string => (receipt.outcome === "sent" ? "" : receipt.reason)

/** Afterwards the transport must be able to send. */
async function expectRecovery({ sink, send }: { sink: SmtpSink; send(message: Outgoing): Promise<Receipt> }) {
  const before = sink.messages.length
  expect((await send(small())).outcome).toBe("sent")
  expect(sink.messages).toHaveLength(before + 1)
}

describe.each([
  ["with pipelining", ["PIPELINING", "SIZE 60000000"]],
  ["without extensions", []],
])("a mail server %s", (_, extensions) => {
  const refusals: readonly SinkStage[] = ["mail", "rcpt", "data", "dot"]

  test.each(refusals)("that answers 4xx at %s has the message deferred, with its code and words", async (stage) => {
    const far = await start({ extensions })
    far.sink.next(stage, "451-4.7.1 Greylisted\r\n451 4.7.1 come back in five minutes")
    const receipt = await far.send(small())
    expect(receipt).toEqual({
      outcome: "deferred",
      reason: expect.stringMatching(/451-4\.7\.1 Greylisted 451 4\.7\.1 come/),
    })
    await expectRecovery(far)
    expect(far.sink.connections.total).toBe(1)
  })

  test.each(refusals)("that answers 5xx at %s has the message rejected, with its code and words", async (stage) => {
    const far = await start({ extensions })
    far.sink.next(stage, "550 5.1.1 no such mailbox")
    const receipt = await far.send(small())
    expect(receipt).toEqual({ outcome: "rejected", reason: expect.stringContaining("550 5.1.1 no such mailbox") })
    await expectRecovery(far)
    expect(far.sink.connections.total).toBe(1)
  })

  const beforeContent: readonly SinkStage[] = ["connect", "ehlo", "mail", "rcpt", "data"]

  test.each(beforeContent)("that hangs at %s has the message deferred in time", async (stage) => {
    const far = await start({ extensions }, hasty)
    far.sink.next(stage, "hang")
    const begun = performance.now()
    expect(await far.send(small())).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(performance.now() - begun).toBeLessThan(30_000)
    await expectRecovery(far)
  })

  test.each(beforeContent)("that closes at %s has the message deferred", async (stage) => {
    const far = await start({ extensions })
    far.sink.next(stage, "close")
    expect(await far.send(small())).toMatchObject({ outcome: "deferred", unreachable: true })
    await expectRecovery(far)
  })

  test.each(["connect", "mail", "rcpt", "data", "dot"] as const)(
    "that says 421 at %s has it deferred",
    async (stage) => {
      const far = await start({ extensions })
      far.sink.next(stage, "421 4.3.2 shutting down")
      const receipt = await far.send(small())
      expect(receipt).toMatchObject({ outcome: "deferred", unreachable: true })
      expect(reasonIn(receipt)).toContain("421 4.3.2 shutting down")
      await expectRecovery(far)
    },
  )

  test.each(["hang", "close"] as const)(
    "that takes the whole message, then does %s, leaves it unknown",
    async (step) => {
      const far = await start({ extensions }, hasty)
      far.sink.next("dot", step)
      expect((await far.send(small())).outcome).toBe("unknown")
      await expectRecovery(far)
    },
  )

  test("that closes in the middle of the content has the message deferred", async () => {
    const far = await start({ extensions })
    far.sink.next("body", { closeAfter: 100_000 })
    expect(await far.send(large())).toMatchObject({ outcome: "deferred", unreachable: true })
    await expectRecovery(far)
  })

  test("that refuses in the middle of the content has the message rejected, and gets a new connection", async () => {
    const far = await start({ extensions })
    far.sink.next("body", "552 5.3.4 that is too much")
    expect(await far.send(large())).toMatchObject({ outcome: "rejected" })
    await expectRecovery(far)
    expect(far.sink.connections.total).toBe(2)
  })

  test("that accepts before it has the whole message has that reply ignored", async () => {
    const far = await start({ extensions })
    far.sink.next("body", "250 2.0.0 thanks")
    expect((await far.send(large())).outcome).toBe("unknown")
    await expectRecovery(far)
  })
})

describe("a mail server", () => {
  test("that is unreachable has the mail deferred, and gets it when it is back", async () => {
    const far = await start()
    await far.sink.stop()
    const receipt = await far.send(small())
    expect(receipt).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(reasonIn(receipt)).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+: connection refused$/)
    await far.sink.start()
    await expectRecovery(far)
  })

  test("with a name that cannot be resolved has the mail deferred", async () => {
    const { transport, send } = await buildTransport(`smtp://${tooLong}.test?connect_timeout=2`)
    onTestFinished(() => transport.close())
    const receipt = await send(small())
    expect(receipt).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(reasonIn(receipt)).toContain(`smtp://${tooLong}.test: the host name is not found`)
  })

  test("that restarts between two messages loses none of them", async () => {
    const far = await start()
    await expectRecovery(far)
    await far.sink.stop()
    await far.sink.start()
    await expectRecovery(far)
  })

  test.each(["close", "421 4.4.2 idle for too long"] as const)(
    "that gives up a used connection (%s) gets the message over a new one",
    async (step) => {
      const far = await start()
      await expectRecovery(far)
      far.sink.next("mail", step)
      await expectRecovery(far)
      expect(far.sink.connections.total).toBe(2)
    },
  )

  test("that accepts every other recipient gives each message its own outcome", async () => {
    const far = await start()
    let turn = 0
    far.sink.always("rcpt", () => (turn++ % 2 === 0 ? "550 5.7.1 not you" : undefined))
    const outcomes: string[] = []
    for (let index = 0; index < 10; index++) outcomes.push((await far.send(small())).outcome)
    expect(outcomes).toEqual(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? "rejected" : "sent")))
    expect(far.sink.messages).toHaveLength(5)
    expect(far.sink.connections.total).toBe(1)
  })

  test("that announces a SIZE does not get larger messages", async () => {
    const far = await start({ extensions: ["SIZE 1000"] })
    const receipt = await far.send(messageTo("ada@example.com", { html: "x".repeat(2_000) }))
    expect(receipt).toMatchObject({ outcome: "rejected", reason: expect.stringContaining("1000") })
    expect(far.sink.commands.some((line) => line.startsWith("MAIL"))).toBe(false)
    expect((await far.send(messageTo("ada@example.com", { html: "x" }))).outcome).toBe("sent")
  })

  test.each<SinkStep>(["503 5.5.1 out of sequence", "535 5.7.8 log in again", "538 5.7.11 encrypt first"])(
    "that answers %p to MAIL has the mail wait: the set-up is at fault, not the message",
    async (step) => {
      const far = await start()
      far.sink.next("mail", step)
      expect(await far.send(small())).toMatchObject({ outcome: "deferred", unreachable: true })
      await expectRecovery(far)
    },
  )

  test("that answers with a long and odd text is quoted in one short line", async () => {
    const far = await start()
    far.sink.next("rcpt", `550-5.1.1 \u0007\u001b[31mred\r\n550 5.1.1 ${"very ".repeat(2_000)}long`)
    const reason = reasonIn(await far.send(small()))
    expect(reason).toMatch(/^RCPT TO: 550-5\.1\.1 \[31mred 550 5\.1\.1 very/)
    expect(reason.length).toBeLessThan(500)
  })

  test("gets the EHLO name of the URL", async () => {
    const far = await start({}, "&name=out.shop.test")
    await expectRecovery(far)
    expect(far.sink.commands[0]).toBe("EHLO out.shop.test")
  })

  test("sees no more connections than the pool allows, with any amount of mail", async () => {
    const far = await start()
    const sending = Array.from({ length: 30 }, () => far.send(small()))
    const receipts = await Promise.all(sending)
    expect(receipts.every(({ outcome }) => outcome === "sent")).toBe(true)
    expect(far.sink.connections.total).toBe(2)
  })

  test("is given SMTPUTF8 and BODY=8BITMIME only when the message needs them", async () => {
    const far = await start()
    await far.send(messageTo("ada@example.com", { subject: "Größe", html: "<p>schön</p>" }))
    await far.send(messageTo("ädä@example.com"))
    const [plain, international] = far.sink.messages
    expect(plain?.parameters).toMatch(/^SIZE=\d+$/)
    expect(plain?.raw.every((byte) => byte < 128)).toBe(true)
    expect(international?.parameters).toMatch(/^SMTPUTF8 BODY=8BITMIME SIZE=\d+$/)
    expect(international?.to).toEqual(["ädä@example.com"])
  })

  test("that is silent does not delay a stop: messages not handed over are released", async () => {
    const far = await start()
    for (const [stage, outcome] of [
      ["mail", "deferred"],
      ["dot", "unknown"],
    ] as const) {
      far.sink.next(stage, "hang")
      const silent = far.sink.reached(stage)
      const own = new AbortController()
      const sending = far.transport.send([small()], own.signal)
      await silent
      const begun = performance.now()
      own.abort()
      expect((await sending)[0]?.outcome).toBe(outcome)
      expect(performance.now() - begun).toBeLessThan(30_000)
    }
  })
})

describe.each([
  ["a message of one slice", small],
  ["a message of many slices", large],
])("the hand-over of %s", (_, make) => {
  test("begins when DATA is open, before the server has all of it", async () => {
    const far = await start()
    let open = false
    far.sink.always("body", () => {
      open = true
      return undefined
    })
    const seen: [boolean, number][] = []
    const message = { ...make(), begin: async () => void seen.push([open, far.sink.messages.length]) }
    expect((await far.send(message)).outcome).toBe("sent")
    expect(seen).toEqual([[true, 0]])
  })

  test("that may not begin is deferred, and the server has no message", async () => {
    const far = await start()
    const refused = { ...make(), begin: () => Promise.reject(new Error("The claim is gone.")) }
    expect(await far.send(refused)).toEqual({
      outcome: "deferred",
      reason: expect.stringContaining("The claim is gone."),
      withheld: true,
    })
    expect(far.sink.messages).toEqual([])
    await expectRecovery(far)
  })
})

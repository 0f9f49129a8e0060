import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { type Outgoing, withheld } from "../../src/mail/transport.ts"
import { type BuiltTransport, buildTransport } from "../contracts/build.ts"
import { messageTo } from "../contracts/messages.ts"
import { type SinkStage, type SinkStep, type SmtpSink, startSink } from "../harness/smtp-sink.ts"

const message = () => messageTo("ada@example.com")
const setUp = { outcome: "deferred", unreachable: true }
const unknown = { outcome: "unknown" }

/** What is no reply, or none that can be read. */
const garbage: readonly string[] = [
  "\r\n",
  "hello\r\n",
  "25\r\n",
  "250_ok\r\n",
  "950 ok\r\n",
  "250-fine\r\n550 not fine\r\n",
  `250 ${"x".repeat(20_000)}`,
  `250 ${"x".repeat(20_000)}\r\n`,
  "250-more\r\n".repeat(300),
  `250-${"x".repeat(10_000)}\r\n`.repeat(10),
]

/** Replies to the envelope or the content, and what becomes of the mail. */
const judgements: readonly (readonly [string, object])[] = [
  ["421 4.3.2 going down", setUp],
  ["450 4.2.1 busy", { outcome: "deferred" }],
  ["451-4.7.1 greylisted\r\n451 4.7.1 come back", { outcome: "deferred" }],
  ["452 full", { outcome: "deferred" }],
  ["503 5.5.1 out of sequence", setUp],
  ["530 5.7.0 log in", setUp],
  ["535 5.7.8 wrong login", setUp],
  ["538 5.7.11 encrypt", setUp],
  ["550-5.4.5 Daily user sending limit\r\n550 5.4.5 exceeded", setUp],
  ["550-5.1.1 no\n550 5.1.1 such user", { outcome: "rejected" }],
  ["552 5.3.4 too large", { outcome: "rejected" }],
  ["554", { outcome: "rejected" }],
]

describe.each([
  ["with pipelining", ["PIPELINING"], ["connect", "mail", "rcpt", "data", "dot"]],
  ["command by command", [], ["connect", "mail", "rcpt", "data", "dot"]],
  ["with pipelining and chunks", ["PIPELINING", "CHUNKING"], ["connect", "mail", "rcpt", "dot"]],
] as const)("a mail server %s", (_, extensions, stages) => {
  let sink: SmtpSink
  let built: BuiltTransport
  beforeAll(async () => {
    sink = await startSink({ extensions })
    built = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=1&name=us.test`)
  })
  afterAll(async () => {
    await built.transport.close()
    await sink.stop()
  })

  beforeEach(() => sink.clear())

  /** Scripts one stage of one hand-over; afterwards the next mail must arrive. */
  async function play(stage: SinkStage, step: SinkStep, expected: object) {
    // Twice, because a used connection that the server gives up is replaced by a new one.
    sink.next(stage, step, step)
    // A greeting comes on a new connection only.
    if (stage === "connect") sink.next("mail", "close")
    const before = sink.messages.length
    const receipt = await built.send(message())
    expect({ step, receipt }).toMatchObject({ step, receipt: expected })
    expect("unreachable" in receipt).toBe("unreachable" in expected)
    expect(sink.messages.length).toBe(before)
    sink.clear()
    expect({ step, after: (await built.send(message())).outcome }).toEqual({ step, after: "sent" })
    expect(sink.messages.length).toBe(before + 1)
  }

  test.each(stages)("is understood whatever it says at %s", async (stage) => {
    await built.send(message())
    const judged = stage === "connect" ? judgements.map(([reply]) => [reply, setUp] as const) : judgements
    for (const [reply, expected] of judged) await play(stage, { says: `${reply}\r\n` }, expected)
    const undecided = stage === "dot" ? unknown : setUp
    for (const says of garbage) await play(stage, { says }, undecided)
    for (const reply of ["150 wait", "354 go on", ...(stage === "data" ? ["250 ok"] : [])])
      if (!(stage === "data" && reply.startsWith("354"))) await play(stage, { says: `${reply}\r\n` }, undecided)
  })
})

async function start(extensions: readonly string[], query = "") {
  const sink = await startSink({ extensions })
  const built = await buildTransport(`smtp://127.0.0.1:${sink.port}?pool=1&name=us.test${query}`)
  return {
    sink,
    ...built,
    async [Symbol.asyncDispose]() {
      await built.transport.close()
      await sink.stop()
    },
  }
}

const verbs = ({ commands }: SmtpSink) => commands.map((line) => line.split(" ", 1)[0])

describe("a mail server", () => {
  test("that knows no EHLO is greeted with HELO", async () => {
    await using far = await start([])
    far.sink.always("ehlo", "502 5.5.1 unknown")
    expect((await far.send(message())).outcome).toBe("sent")
    expect(verbs(far.sink)).toEqual(["EHLO", "HELO", "MAIL", "RCPT", "DATA"])
  })

  test("that refuses EHLO and HELO, or answers them with noise, has its mail wait", async () => {
    for (const step of ["554 no", { says: "what\r\n" }] as const) {
      await using far = await start([])
      far.sink.always("ehlo", step)
      far.sink.always("helo", step)
      expect(await far.send(message())).toMatchObject(setUp)
    }
  })

  test("that opens DATA although it has refused the recipient gets an empty message, and the next mail", async () => {
    await using far = await start(["PIPELINING"])
    far.sink.next("rcpt", "550 5.1.1 nobody")
    far.sink.next("data", "354 go on")
    expect(await far.send(message())).toEqual({ outcome: "rejected", reason: "RCPT TO: 550 5.1.1 nobody" })
    expect((await far.send(message())).outcome).toBe("sent")
    expect(far.sink.messages.map(({ to }) => to)).toEqual([["ada@example.com"]])
    expect(verbs(far.sink)).toEqual(["EHLO", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA"])
  })

  test.each(["", "&client=nodemailer"])(
    "that takes and refuses mail in one reply leaves that unknown%s",
    async (query) => {
      await using far = await start(["PIPELINING"], query)
      far.sink.next("dot", { says: "250-2.0.0 queued\r\n250-2.0.0 or\r\n550 5.7.1 refused\r\n" })
      expect(await far.send(message())).toMatchObject(unknown)
      far.sink.next("dot", "250-2.0.0 queued\r\n250 2.0.0 as 1A2B")
      expect((await far.send(message())).outcome).toBe("sent")
    },
  )

  test.each([
    ["mail", "354 go on"],
    ["rcpt", "354 go on"],
    ["data", "250 2.0.0 fine"],
  ] as const)("that answers %s with %p gets no empty message for a recipient it may have", async (stage, reply) => {
    await using far = await start(["PIPELINING"])
    far.sink.next(stage, reply)
    expect(await far.send(message())).toMatchObject(setUp)
    expect((await far.send(message())).outcome).toBe("sent")
    expect(far.sink.messages.map(({ raw }) => raw.length > 0)).toEqual([true])
    expect(far.sink.connections.total).toBe(2)
  })

  test.each([
    ["mail", "503 5.5.1 out of sequence"],
    ["dot", "354 go on"],
  ] as const)(
    "that answers %s with %p, out of step with us, gets the next mail over a new connection",
    async (stage, reply) => {
      await using far = await start(["PIPELINING"])
      far.sink.next(stage, reply)
      expect((await far.send(message())).outcome).not.toBe("sent")
      expect((await far.send(message())).outcome).toBe("sent")
      expect(far.sink.connections.total).toBe(2)
    },
  )

  test.each(["", "&client=nodemailer"])(
    "that closes a used connection once it has the whole message does not get it again%s",
    async (query) => {
      await using far = await start(["PIPELINING"], query)
      await far.send(message())
      far.sink.next("dot", "close")
      expect(await far.send(message())).toMatchObject(unknown)
      const handOver = ["MAIL", "RCPT", "DATA"]
      expect(verbs(far.sink)).toEqual(["EHLO", ...handOver, ...handOver])
    },
  )

  test("that refuses the recipient and gives up before its next reply has refused the mail", async () => {
    await using far = await start(["PIPELINING"])
    far.sink.next("rcpt", "550 5.1.1 nobody")
    far.sink.next("data", "close")
    expect(await far.send(message())).toEqual({ outcome: "rejected", reason: "RCPT TO: 550 5.1.1 nobody" })
  })

  test("is told to forget a transaction before the next one, and only then", async () => {
    await using far = await start(["PIPELINING"])
    far.sink.next("rcpt", "550 5.1.1 nobody")
    for (let mails = 0; mails < 3; mails++) await far.send(message())
    const refused = ["EHLO", "MAIL", "RCPT", "DATA"]
    expect(verbs(far.sink)).toEqual([...refused, "RSET", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA"])
  })

  test.each([
    [["PIPELINING"], "554 5.7.1 spam", "rejected", []],
    [["PIPELINING"], "500 5.5.2 line too long", "rejected", []],
    // RFC 3030 (2): the transaction is still open.
    [["PIPELINING", "CHUNKING"], "554 5.7.1 spam", "rejected", ["RSET"]],
  ] as const)("with %p that answers the content with %p has it %s", async (extensions, reply, outcome, between) => {
    await using far = await start(extensions)
    far.sink.next("dot", reply)
    expect((await far.send(message())).outcome).toBe(outcome)
    expect((await far.send(message())).outcome).toBe("sent")
    const handOver = ["MAIL", "RCPT", extensions.length > 1 ? "BDAT" : "DATA"]
    expect(verbs(far.sink)).toEqual(["EHLO", ...handOver, ...between, ...handOver])
  })

  test("that does not forget a transaction gets the next mail over a new connection", async () => {
    await using far = await start(["PIPELINING"])
    far.sink.next("rcpt", "550 5.1.1 nobody")
    far.sink.next("rset", "500 5.5.1 never")
    await far.send(message())
    expect((await far.send(message())).outcome).toBe("sent")
    expect([far.sink.messages.length, far.sink.connections.total]).toEqual([1, 2])
  })

  test("that offers chunks and then does not know them gets the mail by DATA from then on", async () => {
    await using far = await start(["PIPELINING", "CHUNKING"])
    far.sink.next("dot", "502 5.5.1 unknown command")
    expect(await far.send(message())).toMatchObject(setUp)
    expect((await far.send(message())).outcome).toBe("sent")
    expect(verbs(far.sink)).toEqual(["EHLO", "MAIL", "RCPT", "BDAT", "EHLO", "MAIL", "RCPT", "DATA"])
  })

  test("that says something unasked gets the next mail over a new connection", async () => {
    await using far = await start(["PIPELINING"])
    far.sink.next("dot", { says: "250 2.0.0 fine\r\n250 2.0.0 really\r\n" })
    expect((await far.send(message())).outcome).toBe("sent")
    expect((await far.send(message())).outcome).toBe("sent")
    expect(far.sink.connections.total).toBe(2)
  })

  test("gets a message with chunks unchanged, and its mail may wait for its beginning", async () => {
    await using far = await start(["PIPELINING", "CHUNKING"])
    const dots = messageTo("ada@example.com", { html: `<p>\n.\n..\n${".".repeat(90_000)}</p>` })
    expect((await far.send(dots)).outcome).toBe("sent")
    expect(far.sink.messages[0]?.raw.equals(dots.mime())).toBe(true)
    const stale = { ...message(), begin: () => Promise.reject(new Error("The claim is gone.")) }
    expect(await far.send(stale)).toEqual(withheld("The claim is gone."))
    expect(far.sink.messages).toHaveLength(1)
  })

  test("that does not take international addresses gets none", async () => {
    await using far = await start(["PIPELINING"])
    const reason = expect.stringContaining("SMTPUTF8")
    expect(await far.send(messageTo("ädä@example.com"))).toEqual({ outcome: "rejected", reason })
    expect(verbs(far.sink)).toEqual(["EHLO"])
  })

  test.each([
    "a@b.test>\r\nRSET",
    "a@b.test\nRSET",
    "a@b.test> SIZE=1",
    "a b@c.test",
    "a@b.test\0",
    "a@b.test\u2028",
    "",
  ])("never reads a command in an address (%j)", async (to) => {
    await using far = await start(["PIPELINING"])
    const forged: Outgoing = { ...message(), envelope: { from: "hi@shop.test", to } }
    expect((await far.send(forged)).outcome).toBe("rejected")
    expect(verbs(far.sink)).toEqual(["EHLO"])
  })

  test("that drips its replies does not hold a mail longer than the time limit", async () => {
    await using far = await start([], "&timeout=0.2")
    far.sink.next("mail", { says: "250-slow\r\n250-slower\r\n250-slowest" })
    expect(await far.send(message())).toMatchObject(setUp)
  })
})

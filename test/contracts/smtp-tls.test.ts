import { afterEach, describe, expect, test } from "bun:test"
import { type SinkOptions, type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { buildTransport } from "./build.ts"
import { messageTo } from "./messages.ts"

const login = { user: "relay-user@shop.test", password: "s3cret/pass word" }
const userinfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function sinkWith(options: SinkOptions): Promise<SmtpSink> {
  const sink = await startSink(options)
  opened.push(() => sink.stop())
  return sink
}

/** Sends one message through a new transport. */
async function sendVia(url: string) {
  const { transport, send, logged } = await buildTransport(url)
  opened.unshift(() => transport.close())
  const receipt = await send(messageTo("ada@example.com"))
  return { receipt, reason: receipt.outcome === "sent" ? "" : receipt.reason, logged: logged() }
}

const waiting = { outcome: "deferred", unreachable: true }

describe("TLS to a mail server", () => {
  test("is used when the server offers STARTTLS", async () => {
    const sink = await sinkWith({ tls: "offered" })
    const { receipt, logged } = await sendVia(`smtp://127.0.0.1:${sink.port}?insecure=true`)
    expect(receipt.outcome).toBe("sent")
    expect(sink.messages.map(({ secure }) => secure)).toEqual([true])
    expect(logged).toContain("any certificate")
  })

  test("is not used when the server does not offer it", async () => {
    const sink = await sinkWith({})
    expect((await sendVia(`smtp://127.0.0.1:${sink.port}`)).receipt.outcome).toBe("sent")
    expect(sink.messages.map(({ secure }) => secure)).toEqual([false])
  })

  test("is not used with tls=off, even if the server offers it", async () => {
    const sink = await sinkWith({ tls: "offered" })
    expect((await sendVia(`smtp://127.0.0.1:${sink.port}?tls=off`)).receipt.outcome).toBe("sent")
    expect(sink.messages.map(({ secure }) => secure)).toEqual([false])
  })

  test("starts at once with smtps", async () => {
    const sink = await sinkWith({ tls: "implicit" })
    expect((await sendVia(`smtps://127.0.0.1:${sink.port}?insecure=true`)).receipt.outcome).toBe("sent")
    expect(sink.messages.map(({ secure }) => secure)).toEqual([true])
  })

  test.each([
    ["offered", "smtp"],
    ["implicit", "smtps"],
  ] as const)("defers mail while a self-signed certificate is not allowed for (%s)", async (tls, scheme) => {
    const sink = await sinkWith({ tls })
    const { receipt, reason } = await sendVia(`${scheme}://127.0.0.1:${sink.port}`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toMatch(/certificate is not trusted.*insecure=true/)
    expect(sink.messages).toEqual([])
  })

  test("defers mail when it is required and not offered", async () => {
    const sink = await sinkWith({})
    const { receipt, reason } = await sendVia(`smtp://127.0.0.1:${sink.port}?tls=required`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toMatch(/does not start TLS: 502 5\.5\.1/)
    expect(sink.commands.some((line) => line.startsWith("MAIL"))).toBe(false)
  })

  test("defers mail when it is offered and then refused, rather than continuing without TLS", async () => {
    const sink = await sinkWith({ tls: "offered" })
    sink.always("starttls", "454 4.7.0 TLS not available")
    const { receipt, reason } = await sendVia(`smtp://127.0.0.1:${sink.port}`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toMatch(/454 4\.7\.0/)
    expect(sink.commands.some((line) => line.startsWith("MAIL"))).toBe(false)
  })

  test.each(["noise", "hang", "close"] as const)("defers mail when the handshake fails (%s)", async (step) => {
    const sink = await sinkWith({ tls: "offered" })
    sink.always("starttls", step)
    const url = `smtp://127.0.0.1:${sink.port}?insecure=true&connect_timeout=0.3&timeout=0.3`
    expect((await sendVia(url)).receipt).toMatchObject(waiting)
    expect(sink.messages).toEqual([])
  })

  test("defers mail when one side speaks TLS from the start and the other does not, and says which scheme the URL needs", async () => {
    const [plain, secure] = [await sinkWith({}), await sinkWith({ tls: "implicit" })]
    const query = "insecure=true&connect_timeout=0.3&timeout=0.3"
    const [early, late] = [`smtps://127.0.0.1:${plain.port}?${query}`, `smtp://127.0.0.1:${secure.port}?${query}`]
    const sent = [await sendVia(early), await sendVia(late)]
    for (const { receipt } of sent) expect(receipt).toMatchObject(waiting)
    expect(sent.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/: the server does not speak TLS from the start at this port; .* smtp:\/\/$/),
      expect.stringMatching(/: no greeting in time; .* smtps:\/\/$/),
    ])
  })
})

describe("the login at a mail server", () => {
  test("is sent over TLS if available", async () => {
    const sink = await sinkWith({ tls: "offered", login })
    const { receipt } = await sendVia(`smtp://${userinfo}127.0.0.1:${sink.port}?insecure=true`)
    expect(receipt.outcome).toBe("sent")
    expect(sink.messages).toMatchObject([{ secure: true, user: login.user }])
  })

  test("defers mail when it is refused, and does not appear in the reason", async () => {
    const sink = await sinkWith({ login })
    const coded = btoa(`\0${login.user}\0${login.password}`)
    sink.always("auth", `535 5.7.8 ${login.user} may not enter with ${login.password} (${coded})`)
    const { receipt, reason, logged } = await sendVia(`smtp://${userinfo}127.0.0.1:${sink.port}`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toMatch(/refuses the login: 535 5\.7\.8/)
    for (const secret of [login.user, login.password, coded]) expect(reason + logged).not.toContain(secret)
  })

  test.each(["454 4.7.0 try later", "hang", "close"] as const)("defers mail when it fails (%s)", async (step) => {
    const sink = await sinkWith({ login })
    sink.always("auth", step)
    const { receipt } = await sendVia(`smtp://${userinfo}127.0.0.1:${sink.port}?timeout=0.3`)
    expect(receipt).toMatchObject(waiting)
  })

  test("defers mail when the server offers none", async () => {
    const sink = await sinkWith({})
    const { receipt, reason } = await sendVia(`smtp://${userinfo}127.0.0.1:${sink.port}`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toContain("offers no login")
  })

  test("defers mail when the server wants one and the URL has none", async () => {
    const sink = await sinkWith({})
    sink.always("mail", "530 5.7.0 authentication required")
    expect((await sendVia(`smtp://127.0.0.1:${sink.port}`)).receipt).toMatchObject(waiting)
  })

  test("is not sent without TLS to another machine, except with tls=off", async () => {
    const sink = await sinkWith({ login })
    // An address of this machine that does not look like one.
    const host = `[::ffff:127.0.0.1]:${sink.port}`
    const { receipt, reason } = await sendVia(`smtp://${userinfo}${host}`)
    expect(receipt).toMatchObject(waiting)
    expect(reason).toContain("not sent in the clear")
    expect(sink.commands.some((line) => line.startsWith("AUTH"))).toBe(false)
    expect((await sendVia(`smtp://${userinfo}${host}?tls=off`)).receipt.outcome).toBe("sent")
  })
})

import { expect, test } from "bun:test"
import net from "node:net"
import { accepted } from "../../src/inbound/types.ts"
import { testCertificate } from "../harness/certificate.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { connectSmtp, type SmtpClient } from "../harness/smtp-client.ts"
import { startListener } from "../harness/smtp-listener.ts"
import { until } from "../harness/store.ts"

const second = 1_000
const addresses = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"]

async function startMessage(client: SmtpClient): Promise<void> {
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.say("DATA")).code).toBe(354)
}

/** Waits until the server has read what was sent before: it answers its commands in order of their arrival. */
const taken = async (client: SmtpClient) => void (await client.say("NOOP"))

test("slow clients of many addresses do not lock out the next", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ maxClients: 20, clock })
  const slow = await Promise.all(
    Array.from({ length: 20 }, (_, at) => listener.connect({ from: addresses[at % addresses.length] ?? "" })),
  )
  const early = await connectSmtp(listener.port, { from: "127.0.0.5" })
  expect((await early.reply()).text).toContain("421 mail.test Too many connections")

  await clock.advance(9 * second)
  const [, other, ...rest] = slow
  await Promise.all([...(other ? [other] : []), ...rest].map(taken))
  await clock.advance(1 * second)
  const next = await connectSmtp(listener.port, { from: "127.0.0.5" })
  expect((await next.reply()).code).toBe(220)
  await next.envelope("a@one.test", "b@two.test")
  expect((await next.data("hello")).code).toBe(250)
  expect((await slow[0]?.reply())?.text).toStartWith("421 4.4.2 Too slow")
  await slow[0]?.closed
  // The others made progress.
  expect((await other?.say("NOOP"))?.code).toBe(250)
})

test("a client that waits for our answer does not lose its connection to others, however long that takes", async () => {
  const clock = createFakeClock()
  const asked = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  await using listener = await startListener(
    { maxClients: 1, clock },
    {
      async receive() {
        asked.resolve()
        await stored.promise
        return accepted("stored")
      },
    },
  )
  const waiting = await listener.connect()
  await startMessage(waiting)
  waiting.send("x\r\n.\r\n")
  await asked.promise
  await clock.advance(600 * second)
  const other = await connectSmtp(listener.port, { from: "127.0.0.2" })
  expect((await other.reply()).text).toContain("421 mail.test Too many connections")
  stored.resolve()
  // A second copy of the message would come with a reply that asks the client to try again.
  expect((await waiting.reply()).text).toBe("250 2.0.0 stored")
  await clock.advance(310 * second)
  expect((await waiting.reply()).text).toStartWith("421 4.4.2 Too slow")
})

/** Connects and says nothing; resolves when the connection is closed. */
async function silence(port: number, from: string): Promise<{ readonly closed: Promise<void> }> {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress: from })
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()))
  await new Promise((resolve) => socket.once("connect", resolve))
  return { closed }
}

test("where TLS comes first, clients of one address that do not begin with it leave a place for others", async () => {
  await using listener = await startListener({ maxClients: 20, tls: testCertificate, secure: true })
  const silent = await Promise.all(Array.from({ length: 30 }, () => silence(listener.port, "127.0.0.1")))
  let closed = 0
  for (const one of silent) void one.closed.then(() => closed++)
  const other = await listener.connect({ secure: true, from: "127.0.0.2" })
  expect((await other.say("NOOP")).code).toBe(250)
  await until(() => closed === 25)
})

test("where TLS comes first, a client that does not begin with it within ten seconds is ended", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ maxClients: 4, clock, tls: testCertificate, secure: true })
  const silent = await Promise.all(addresses.map((from) => silence(listener.port, from)))
  await (await silence(listener.port, "127.0.0.5")).closed
  await clock.advance(15 * second)
  await Promise.all(silent.map(({ closed }) => closed))
  const next = await listener.connect({ secure: true, from: "127.0.0.5" })
  expect((await next.say("NOOP")).code).toBe(250)
})

test("a message that grows by a byte now and then is ended, and one that grows slowly is not", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ clock })
  const [trickle, slow] = [await listener.connect(), await listener.connect()]
  await Promise.all([startMessage(trickle), startMessage(slow)])
  const other = await listener.connect()
  for (let at = 0; at < 8; at++) {
    trickle.send("x")
    slow.send("x".repeat(300))
    await taken(other)
    await clock.advance(5 * second)
  }
  expect((await trickle.reply()).text).toStartWith("421 4.4.2 Too slow")
  await trickle.closed
  slow.send("\r\n.\r\n")
  expect((await slow.reply()).code).toBe(250)
  expect(listener.received).toHaveLength(1)
})

/** Waits until so much of other messages has come that this one is put off. */
const shortOfMemory = (client: SmtpClient, message: string) =>
  until(async () => {
    await client.envelope("a@one.test", "b@two.test")
    return (await client.data(message)).text.startsWith("452 4.3.1")
  })

test("messages that hardly grow do not hold the memory that the next one needs", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ maxBytes: 100_000, clock })
  const slow = await Promise.all(addresses.map((from) => listener.connect({ from })))
  const next = await listener.connect({ from: "127.0.0.5" })
  for (const client of slow) {
    await startMessage(client)
    client.send("x".repeat(70_000))
  }
  await shortOfMemory(next, "hello")
  await clock.advance(10 * second)
  await next.envelope("a@one.test", "b@two.test")
  expect((await next.data("hello")).code).toBe(250)
  expect((await slow[0]?.reply())?.text).toStartWith("421 4.4.2 Too slow")
  // The others may go on: there is enough for all.
  slow[1]?.send("\r\n.\r\n")
  expect((await slow[1]?.reply())?.code).toBe(250)
})

test("a slow message that finds no memory left is put off, and ends neither itself nor connections without one", async () => {
  const clock = createFakeClock()
  const asked = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  await using listener = await startListener(
    { maxBytes: 100_000, maxBufferedBytes: 120_000, clock },
    {
      async receive() {
        asked.resolve()
        await stored.promise
        return accepted("stored")
      },
    },
  )
  const [idle, waiting, slow] = [await listener.connect(), await listener.connect(), await listener.connect()]
  await Promise.all([startMessage(waiting), startMessage(slow)])
  waiting.send(`${"x".repeat(90_000)}\r\n.\r\n`)
  await asked.promise
  slow.send("x".repeat(16_000))
  await taken(idle)
  await clock.advance(15 * second)
  slow.send(`${"x".repeat(600)}\r\n.\r\n`)
  expect((await slow.reply()).text).toStartWith("452 4.3.1")
  expect((await idle.say("NOOP")).code).toBe(250)
  stored.resolve()
  expect((await waiting.reply()).code).toBe(250)
  await slow.envelope("a@one.test", "b@two.test")
  expect((await slow.data("x".repeat(90_000))).code).toBe(250)
})

test("a large message has to grow faster than a small one to keep its memory", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ maxBytes: 10_000_000, maxBufferedBytes: 10_000_000, clock })
  const [large, next] = [await listener.connect(), await listener.connect()]
  await startMessage(large)
  large.send(Buffer.alloc(6_000_000, "x"))
  await shortOfMemory(next, "x".repeat(3_000_000))
  await clock.advance(5 * second)
  for (let at = 0; at < 3; at++) {
    large.send("x".repeat(1_500))
    await taken(next)
    await clock.advance(5 * second)
  }
  await next.envelope("a@one.test", "b@two.test")
  expect((await next.data("x".repeat(3_000_000))).code).toBe(250)
  await large.closed
})

test("a command that comes a byte at a time is ended, and commands that follow each other are not", async () => {
  const clock = createFakeClock()
  await using listener = await startListener({ clock })
  const [trickle, slow] = [await listener.connect(), await listener.connect()]
  for (let at = 0; at < 11; at++) {
    trickle.send("N")
    await taken(slow)
    await clock.advance(30 * second)
  }
  expect((await trickle.reply()).text).toStartWith("421 4.4.2 Too slow")
  expect((await slow.say("NOOP")).code).toBe(250)
})

test("failed logins count for the address over all of its connections, and are forgotten in time", async () => {
  const clock = createFakeClock()
  let asked = 0
  await using listener = await startListener(
    { clock, auth: "required" },
    {
      authenticate(_, password) {
        asked++
        return password === "right" ? "in" : undefined
      },
    },
  )
  const login = async (password: string, from = "127.0.0.1") => {
    const client = await listener.connect({ from })
    await client.say("EHLO client.test")
    const { code } = await client.say(`AUTH PLAIN ${Buffer.from(`\0ada\0${password}`).toString("base64")}`)
    client.drop()
    await client.closed
    return code
  }
  for (let attempt = 0; attempt < 30; attempt++) expect(await login("wrong")).toBe(535)
  expect(await login("right")).toBe(421)
  expect(asked).toBe(30)
  expect(await login("right", "127.0.0.2")).toBe(235)
  await clock.advance(600 * second)
  for (let attempt = 0; attempt < 40; attempt++) expect(await login("right")).toBe(235)
})

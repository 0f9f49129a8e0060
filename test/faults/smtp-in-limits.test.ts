import { expect, test } from "bun:test"
import { accepted } from "../../src/inbound/types.ts"
import { networkOf } from "../../src/kernel/network-of.ts"
import { testCertificate } from "../harness/certificate.ts"
import { connectSmtp, type SmtpClient } from "../harness/smtp-client.ts"
import { startListener } from "../harness/smtp-listener.ts"
import { until } from "../harness/store.ts"

const KB = 1024

async function startMessage(client: SmtpClient): Promise<void> {
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.say("DATA")).code).toBe(354)
}

test("a message announced too large is refused at MAIL FROM", async () => {
  await using listener = await startListener({ maxBytes: 100 * KB })
  const client = await listener.connect()
  await client.say("EHLO client.test")
  expect((await client.say(`MAIL FROM:<a@one.test> SIZE=${100 * KB + 1}`)).text).toStartWith("552 5.3.4")
  expect((await client.say(`MAIL FROM:<a@one.test> SIZE=${100 * KB}`)).code).toBe(250)
})

test("a message of exactly the limit is accepted, for any declared size", async () => {
  await using listener = await startListener({ maxBytes: 100 * KB })
  const client = await listener.connect()
  await client.say("EHLO client.test")
  await client.say("MAIL FROM:<a@one.test> SIZE=1")
  await client.say("RCPT TO:<b@two.test>")
  expect((await client.data("x".repeat(100 * KB - 2))).code).toBe(250)
  expect(listener.received[0]?.raw.length).toBe(100 * KB)
})

test("messages that become too large are refused at their end, and the connection continues with all of the memory", async () => {
  await using listener = await startListener({ maxBytes: 100 * KB, maxBufferedBytes: 100 * KB })
  const client = await listener.connect()
  for (let i = 0; i < 3; i++) {
    await client.envelope("a@one.test", "b@two.test")
    expect((await client.data("x".repeat(100 * KB - 1))).text).toStartWith("552 5.3.4")
  }
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x".repeat(90 * KB))).code).toBe(250)
  expect(listener.received).toHaveLength(1)
})

test("a removed dot does not count", async () => {
  await using listener = await startListener({ maxBytes: 1_000 })
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data(`${"..\r\n".repeat(333)}`.slice(0, -2))).code).toBe(250)
  expect(listener.received[0]?.raw.length).toBe(999)
})

test("a client that never stops is cut off after twice the limit", async () => {
  await using listener = await startListener({ maxBytes: 10 * KB })
  const client = await listener.connect()
  await startMessage(client)
  client.send("x".repeat(30 * KB))
  expect((await client.reply()).text).toStartWith("552 5.3.4")
  await client.closed
  expect(listener.received).toEqual([])
})

test("messages in transfer share one limit: a client beyond it is deferred, and accepted later", async () => {
  const asked = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  await using listener = await startListener(
    { maxBytes: 100 * KB, maxBufferedBytes: 150 * KB },
    {
      async receive() {
        asked.resolve()
        await stored.promise
        return accepted("stored")
      },
    },
  )
  const [one, two] = [await listener.connect(), await listener.connect()]
  const large = "x".repeat(90 * KB)
  await startMessage(one)
  one.send(`${large}\r\n.\r\n`)
  await asked.promise
  await two.envelope("a@one.test", "b@two.test")
  expect((await two.data(large)).text).toStartWith("452 4.3.1")
  stored.resolve()
  expect((await one.reply()).code).toBe(250)
  await two.envelope("a@one.test", "b@two.test")
  expect((await two.data(large)).code).toBe(250)
})

test("a message that was cut off frees the memory it had reserved", async () => {
  await using listener = await startListener({ maxBytes: 100 * KB, maxBufferedBytes: 100 * KB })
  for (let i = 0; i < 3; i++) {
    const client = await listener.connect()
    await startMessage(client)
    client.send("x".repeat(90 * KB))
    client.end()
    await client.closed
  }
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x".repeat(90 * KB))).code).toBe(250)
})

test("a connection that is reset in the middle of a message frees its memory and its place", async () => {
  await using listener = await startListener({
    maxBytes: 100 * KB,
    maxBufferedBytes: 100 * KB,
    maxClientsPerAddress: 1,
  })
  const client = await listener.connect()
  await startMessage(client)
  client.send("x".repeat(90 * KB))
  client.reset()
  await client.closed
  // The listener may hear of it later than the client.
  let next = await connectSmtp(listener.port)
  await until(async () => {
    if ((await next.reply()).code === 220) return true
    next = await connectSmtp(listener.port)
    return false
  })
  await next.envelope("a@one.test", "b@two.test")
  expect((await next.data("x".repeat(90 * KB))).code).toBe(250)
  next.drop()
})

test("silence in the middle of a message ends the connection, and nothing is stored", async () => {
  await using listener = await startListener({ idleTimeoutMs: 1_000 })
  const client = await listener.connect()
  await startMessage(client)
  client.send("half a message\r\n")
  expect((await client.reply()).code).toBe(421)
  await client.closed
  expect(listener.received).toEqual([])
})

test("a connection that ends in the middle of a message stores nothing", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await startMessage(client)
  client.send("half a message\r\n.")
  client.end()
  await client.closed
  expect(listener.received).toEqual([])
})

test("the idle timeout does not run while the client waits for the receiver", async () => {
  const stored = Promise.withResolvers<void>()
  await using listener = await startListener(
    { idleTimeoutMs: 1_000 },
    {
      async receive() {
        await stored.promise
        return accepted("late")
      },
    },
  )
  const waiting = await listener.connect()
  await startMessage(waiting)
  waiting.send("x\r\n.\r\n")
  // A second client that says nothing is the clock: it connects later and times out first.
  const silent = await listener.connect()
  expect((await silent.reply()).code).toBe(421)
  stored.resolve()
  expect((await waiting.reply()).text).toBe("250 2.0.0 late")
})

test.each([
  ["with its end", `NOOP ${"x".repeat(20 * KB)}\r\n`],
  ["without an end", "x".repeat(1024 * KB)],
])("a command line too long, %s, is refused and ends the connection", async (_, line) => {
  await using listener = await startListener()
  const client = await listener.connect()
  client.send(line)
  expect((await client.reply()).text).toBe("500 5.5.6 Line too long")
  await client.closed
})

test("a long line inside a message is content", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x".repeat(300 * KB))).code).toBe(250)
  expect(listener.received[0]?.raw.length).toBe(300 * KB + 2)
})

test("ten unknown commands end the connection", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  for (let i = 0; i < 9; i++) expect((await client.say("\0\xff{}")).code).toBe(500)
  expect((await client.say("nonsense")).code).toBe(421)
  await client.closed
})

test("one client too many gets 421, and the next is accepted once one has left", async () => {
  await using listener = await startListener({ maxClients: 2, maxClientsPerAddress: 2 })
  const first = await listener.connect()
  await listener.connect()
  const third = await connectSmtp(listener.port)
  expect((await third.reply()).code).toBe(421)
  await third.closed
  await first.say("QUIT")
  await first.closed
  const fourth = await connectSmtp(listener.port)
  expect((await fourth.reply()).code).toBe(220)
  fourth.drop()
})

test("one address can use a quarter of the connections, and leaves the others free", async () => {
  await using listener = await startListener({ maxClients: 20 })
  const slow = await Promise.all(Array.from({ length: 5 }, () => listener.connect()))
  const sixth = await connectSmtp(listener.port)
  expect((await sixth.reply()).text).toContain("421 mail.test Too many connections from your address")
  await sixth.closed
  const other = await connectSmtp(listener.port, { from: "127.0.0.2" })
  expect((await other.reply()).code).toBe(220)
  other.drop()
  await slow[0]?.say("QUIT")
  await slow[0]?.closed
  const seventh = await connectSmtp(listener.port)
  expect((await seventh.reply()).code).toBe(220)
  const eighth = await connectSmtp(listener.port)
  expect((await eighth.reply()).code).toBe(421)
  seventh.drop()
})

test.each([
  ["203.0.113.5", "203.0.113.5"],
  ["::ffff:203.0.113.5", "203.0.113.5"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0db8:1:2::9", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("the address %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test("stopping disconnects idle clients and accepts no new ones", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  await listener.stop(10_000)
  expect((await client.reply()).text).toBe("421 4.3.2 Shutting down")
  await client.closed
  await expect(connectSmtp(listener.port)).rejects.toThrow()
})

test("stopping ends encrypted connections too", async () => {
  await using listener = await startListener({ tls: testCertificate })
  const [idle, busy] = [await listener.connect(), await listener.connect()]
  for (const client of [idle, busy]) {
    await client.say("EHLO client.test")
    await client.startTls()
  }
  await startMessage(busy)
  const stopped = listener.stop(50)
  expect((await idle.reply()).code).toBe(421)
  await stopped
  expect((await busy.reply()).code).toBe(421)
  await Promise.all([idle.closed, busy.closed])
})

test("stopping lets a message in transfer arrive and be answered", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await startMessage(client)
  client.send("first half, ")
  const stopped = listener.stop(10_000)
  client.send("second half\r\n.\r\n")
  expect((await client.reply()).text).toBe("250 2.0.0 message-1")
  expect((await client.reply()).text).toBe("421 4.3.2 Shutting down")
  await stopped
  expect(listener.received).toHaveLength(1)
})

test("stopping waits for a message that is being stored", async () => {
  const stored = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await using listener = await startListener(
    {},
    {
      async receive() {
        asked.resolve()
        await stored.promise
        return accepted("late")
      },
    },
  )
  const client = await listener.connect()
  await startMessage(client)
  client.send("x\r\n.\r\n")
  await asked.promise
  const stopped = listener.stop(10_000)
  stored.resolve()
  expect((await client.reply()).text).toBe("250 2.0.0 late")
  await stopped
})

test("stopping gives up on a message that does not end in time, and stores nothing of it", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await startMessage(client)
  client.send("half a message\r\n")
  await listener.stop(50)
  expect((await client.reply()).code).toBe(421)
  await client.closed
  expect(listener.received).toEqual([])
})

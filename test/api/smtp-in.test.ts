import { expect, test } from "bun:test"
import { SessionStream } from "../../src/inbound/session-stream.ts"
import { refused } from "../../src/inbound/types.ts"
import { startTestApp } from "../harness/app.ts"
import { testCertificate } from "../harness/certificate.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { startListener, textOf } from "../harness/smtp-listener.ts"

test("the greeting names the host and EHLO lists the extensions", async () => {
  await using listener = await startListener({ maxBytes: 1234 })
  const client = await connectSmtp(listener.port)
  expect((await client.reply()).text).toStartWith("220 mail.test ESMTP")
  const { code, lines } = await client.say("EHLO client.test")
  expect(code).toBe(250)
  expect(lines).toEqual(["mail.test", "PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES", "SIZE 1234"])
  client.drop()
})

test("STARTTLS is offered with a certificate and only without TLS", async () => {
  await using listener = await startListener({ tls: testCertificate })
  const client = await listener.connect()
  expect((await client.say("EHLO client.test")).lines).toContain("STARTTLS")
  await client.startTls()
  expect((await client.say("EHLO client.test")).lines).not.toContain("STARTTLS")
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("Subject: safe\r\n\r\nx")).text).toBe("250 2.0.0 message-1")
  expect(listener.received[0]?.secure).toBe(true)
})

test("without a certificate STARTTLS is an unknown command", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  expect((await client.say("EHLO client.test")).lines).not.toContain("STARTTLS")
  expect((await client.say("STARTTLS")).code).toBe(500)
})

test("a secure listener speaks TLS from the first byte", async () => {
  await using listener = await startListener({ tls: testCertificate, secure: true })
  const client = await listener.connect({ secure: true })
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.secure).toBe(true)
})

test("a message arrives with its envelope and its exact bytes", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.say("EHLO Client.Test")
  expect((await client.say("MAIL FROM:<Ann@one.test> SIZE=500 BODY=8BITMIME SMTPUTF8")).text).toStartWith("250 2.1.0")
  expect((await client.say("RCPT TO:<bo@two.test>")).text).toStartWith("250 2.1.5")
  expect((await client.say("RCPT TO:<Cy@three.test>")).text).toStartWith("250 2.1.5")
  expect((await client.say("DATA")).code).toBe(354)
  client.send("Subject: x\r\n\r\n..two dots\r\n...three\r\nGr\u00fc\u00dfe \0\r\n.\r\n")
  expect((await client.reply()).text).toBe("250 2.0.0 message-1")
  expect(listener.received).toHaveLength(1)
  const [message] = listener.received
  expect(textOf(message)).toBe("Subject: x\r\n\r\n.two dots\r\n..three\r\nGr\u00fc\u00dfe \0\r\n")
  expect(message).toMatchObject({
    mailFrom: "Ann@one.test",
    recipients: ["bo@two.test", "Cy@three.test"],
    remoteAddress: "127.0.0.1",
    helo: "client.test",
    secure: false,
    smtputf8: true,
    session: undefined,
  })
})

test("addresses are accepted in the forms that programs use", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.envelope("", "root@localhost", "app.@my_host", "j\u00f6rg@b\u00fccher.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.mailFrom).toBe("")
  expect(listener.received[0]?.recipients).toEqual(["root@localhost", "app.@my_host", "j\u00f6rg@b\u00fccher.test"])
})

test("commands in the wrong order are refused and change nothing", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  expect((await client.say("MAIL FROM:<a@one.test>")).text).toStartWith("503 5.5.1")
  await client.say("EHLO client.test")
  expect((await client.say("RCPT TO:<b@two.test>")).text).toStartWith("503 5.5.1")
  expect((await client.say("DATA")).text).toStartWith("503 5.5.1")
  expect((await client.say("MAIL FROM:<a@one.test>")).code).toBe(250)
  expect((await client.say("MAIL FROM:<c@one.test>")).text).toStartWith("503 5.5.1")
  expect((await client.say("DATA")).text).toStartWith("503 5.5.1")
  expect((await client.say("RCPT TO:<b@two.test>")).code).toBe(250)
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.mailFrom).toBe("a@one.test")
})

test.each([
  ["with", true],
  ["without", false],
] as const)("%s TLS a parameter that is not offered is 555 (contract B9.6.6)", async (_, secure) => {
  await using listener = await startListener({ auth: "none", ...(secure && { tls: testCertificate, secure }) })
  const client = await listener.connect({ secure })
  await client.say("EHLO client.test")
  for (const parameter of ["HOLDFOR=60", "X-OWN", "RET=HDRS", "ENVID=1", "REQUIRETLS", "AUTH=<>", "SIZE=9 BY=60;R"])
    expect((await client.say(`MAIL FROM:<a@one.test> ${parameter}`)).text).toStartWith("555 5.5.4")
  expect((await client.say("MAIL FROM:<a@one.test> size=9 body=8bitmime smtputf8")).code).toBe(250)
  for (const parameter of ["NOTIFY=SUCCESS", "ORCPT=rfc822;b@two.test", "RRVS=2014-04-03T23:01:00Z", "X-OWN"])
    expect((await client.say(`RCPT TO:<b@two.test> ${parameter}`)).text).toStartWith("555 5.5.4")
  expect((await client.say("RCPT TO:<c@two.test>")).code).toBe(250)
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received.map(({ recipients }) => recipients)).toEqual([["c@two.test"]])
})

test("several messages are sent over one connection, each with its own envelope", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("first")).text).toBe("250 2.0.0 message-1")
  expect((await client.say("RCPT TO:<late@two.test>")).code).toBe(503)
  await client.say("MAIL FROM:<c@one.test>")
  await client.say("RCPT TO:<d@two.test>")
  expect((await client.data("second")).text).toBe("250 2.0.0 message-2")
  expect(listener.received.map((message) => [message.mailFrom, ...message.recipients, textOf(message)])).toEqual([
    ["a@one.test", "b@two.test", "first\r\n"],
    ["c@one.test", "d@two.test", "second\r\n"],
  ])
  expect((await client.say("QUIT")).code).toBe(221)
  await client.closed
})

test("RSET clears the envelope", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.say("RSET")).code).toBe(250)
  expect((await client.say("DATA")).code).toBe(503)
})

test("pipelined commands and messages in one segment are all answered, in order", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  const transaction = (n: number) => `MAIL FROM:<a${n}@one.test>\r\nRCPT TO:<b@two.test>\r\nDATA\r\nbody ${n}\r\n.\r\n`
  client.send(`EHLO client.test\r\n${transaction(1)}${transaction(2)}NOOP\r\nQUIT\r\n`)
  const codes: number[] = []
  for (let i = 0; i < 11; i++) codes.push((await client.reply()).code)
  expect(codes).toEqual([250, 250, 250, 354, 250, 250, 250, 354, 250, 250, 221])
  expect(listener.received.map(textOf)).toEqual(["body 1\r\n", "body 2\r\n"])
})

test("the replies to commands that came together leave in one packet", async () => {
  const steps: string[] = []
  const replies = { cork: () => steps.push("cork"), uncork: () => steps.push("uncork") }
  const stream = new SessionStream(() => replies)
  stream.oncommand = (command, next) => {
    steps.push(command.toString())
    next?.()
  }
  stream.write("HELO client.test\r\nMAIL FROM:<a@one.test>\r\nRCPT TO:<b@two.test>\r\n")
  expect(steps).toEqual(["cork", "HELO client.test", "MAIL FROM:<a@one.test>", "RCPT TO:<b@two.test>", "uncork"])
})

test("STARTTLS behind another command of the same packet is answered before the handshake", async () => {
  await using listener = await startListener({ tls: testCertificate })
  const client = await connectSmtp(listener.port)
  await client.reply()
  client.send("EHLO client.test\r\nSTARTTLS\r\n")
  expect([(await client.reply()).code, (await client.reply()).code]).toEqual([250, 220])
  client.drop()
})

test("a client that ends its side behind its message is told that the message was taken (contract B9.6.6)", async () => {
  const stored = Promise.withResolvers<void>()
  await using listener = await startListener(
    {},
    {
      async receive() {
        await stored.promise
        return { outcome: "accepted", text: "ok" }
      },
    },
  )
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  await client.say("DATA")
  client.send("x\r\n.\r\nQUIT\r\n")
  client.end()
  // Its end has come when another client has been greeted.
  await listener.connect()
  stored.resolve()
  expect((await client.reply()).text).toBe("250 2.0.0 ok")
  expect((await client.reply()).code).toBe(221)
  await client.closed
})

test("commands after a message wait until it is stored", async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  await using listener = await startListener(
    {},
    {
      recipient: (address) => {
        order.push(`recipient ${address}`)
        return undefined
      },
      async receive() {
        order.push("receive")
        await gate.promise
        order.push("stored")
        return { outcome: "accepted", text: "ok" }
      },
    },
  )
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  await client.say("DATA")
  client.send("x\r\n.\r\nMAIL FROM:<a@one.test>\r\nRCPT TO:<c@two.test>\r\n")
  gate.resolve()
  for (let i = 0; i < 3; i++) expect((await client.reply()).code).toBe(250)
  expect(order).toEqual(["recipient b@two.test", "receive", "stored", "recipient c@two.test"])
})

test("recipients beyond the limit are deferred with 452 4.5.3 and the others get the message", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  const hundred = Array.from({ length: 100 }, (_, i) => `r${i}@two.test`)
  expect((await client.envelope("a@one.test", ...hundred)).code).toBe(250)
  expect((await client.say("RCPT TO:<one.more@two.test>")).text).toStartWith("452 4.5.3")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.recipients).toEqual(hundred)
})

test("the receiver refuses a recipient with its own text, by envelope and peer", async () => {
  const asked: unknown[] = []
  await using listener = await startListener(
    {},
    {
      async recipient(address, mailFrom, peer) {
        asked.push([address, mailFrom, peer.helo])
        return address.startsWith("no") ? refused(550, "5.7.1", "Not here") : undefined
      },
    },
  )
  const client = await listener.connect()
  expect((await client.envelope("a@one.test", "no@two.test")).text).toBe("550 5.7.1 Not here")
  expect((await client.say("DATA")).code).toBe(503)
  expect((await client.say("RCPT TO:<yes@two.test>")).code).toBe(250)
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.recipients).toEqual(["yes@two.test"])
  expect(asked).toEqual([
    ["no@two.test", "a@one.test", "client.test"],
    ["yes@two.test", "a@one.test", "client.test"],
  ])
})

test("the receiver refuses a message with its own text, and the connection continues", async () => {
  const verdicts = [refused(552, "5.3.4", "Too much"), refused(451, "4.7.1", "Slow down")]
  await using listener = await startListener(
    {},
    { receive: async () => verdicts.shift() ?? refused(550, "5.6.0", "No") },
  )
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).text).toBe("552 5.3.4 Too much")
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).text).toBe("451 4.7.1 Slow down")
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).text).toBe("550 5.6.0 No")
})

test("a failing receiver is a temporary failure without details, and is logged", async () => {
  await using listener = await startListener(
    {},
    {
      recipient(address) {
        if (address.startsWith("bad")) throw new Error("secret one")
        return undefined
      },
      receive: () => Promise.reject(new Error("secret two")),
    },
  )
  const client = await listener.connect()
  const first = await client.envelope("a@one.test", "bad@two.test")
  expect(first.text).toStartWith("451 4.3.0")
  await client.say("RCPT TO:<good@two.test>")
  const second = await client.data("x")
  expect(second.text).toStartWith("451 4.3.0")
  expect(first.text + second.text).not.toContain("secret")
  expect(listener.logged.map(({ level, fields }) => [level, fields.reason])).toEqual([
    ["error", "secret one"],
    ["error", "secret two"],
  ])
  expect((await client.say("NOOP")).code).toBe(250)
})

test("a refusal cannot break out of its reply line", async () => {
  await using listener = await startListener({}, { recipient: () => refused(550, "5.1.1", "no\r\n250 yes") })
  const client = await listener.connect()
  expect((await client.envelope("a@one.test", "b@two.test")).text).toStartWith("550 5.1.1 no")
  expect((await client.say("NOOP")).text).toBe("250 2.0.0 OK")
})

test("commands of proxies and obsolete ones of sendmail are unknown", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.say("EHLO client.test")
  for (const command of ["XCLIENT ADDR=192.0.2.1", "XFORWARD ADDR=192.0.2.1", "WIZ x", "SHELL", "KILL"]) {
    expect([command, (await client.say(command)).code]).toEqual([command, 500])
  }
})

test("a browser that connects to the port is disconnected", async () => {
  await using listener = await startListener()
  const client = await listener.connect()
  expect((await client.say("POST / HTTP/1.1")).code).toBe(421)
  await client.closed
})

test("without smtp.hostname the greeting has the name of the public address, where it has one (contract B9.6.6)", async () => {
  for (const [url, name] of [
    ["https://mail.example.com:8443/x", "mail.example.com"],
    ["http://192.0.2.1", "localhost"],
  ] as const) {
    const it = await startTestApp({
      settings: { "http.base_url": url, "smtp.inbound_port": "25" },
      overrides: { freeSmtpPorts: true },
    })
    const client = await connectSmtp((await it.app.start()).smtp.inbound ?? 0)
    expect((await client.reply()).text).toStartWith(`220 ${name} ESMTP`)
    client.drop()
    await it.close()
  }
})

test("the greeting is not delayed: twenty consecutive connections do not each take a fixed delay", async () => {
  await using listener = await startListener()
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const start = performance.now()
    const client = await listener.connect()
    expect((await client.say("QUIT")).code).toBe(221)
    await client.closed
    times.push(performance.now() - start)
  }
  // The package alone waits 100 ms before each greeting.
  expect(Math.min(...times)).toBeLessThan(90)
})

test("a port in use is reported when starting", async () => {
  await using listener = await startListener()
  await expect(startListener({ port: listener.port })).rejects.toThrow(/EADDRINUSE|in use/i)
})

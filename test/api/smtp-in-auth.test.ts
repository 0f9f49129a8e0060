import { expect, test } from "bun:test"
import type { SMTPServerSession } from "smtp-server"
import { createHooks } from "../../src/inbound/hooks.ts"
import type { Receiver } from "../../src/inbound/types.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { isLoopback } from "../../src/kernel/loopback.ts"
import { testCertificate } from "../harness/certificate.ts"
import type { SmtpClient } from "../harness/smtp-client.ts"
import { startListener } from "../harness/smtp-listener.ts"
import { recordingLog } from "../harness/store.ts"

const base64 = (text: string) => Buffer.from(text).toString("base64")
const plain = (user: string, password: string) => `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`

const keys: Partial<Receiver<string>> = {
  authenticate: async (user, password) => (password === "right" ? `project of ${user}` : undefined),
}

async function hello(client: SmtpClient): Promise<readonly string[]> {
  return (await client.say("EHLO client.test")).lines
}

test.each([
  ["PLAIN at once", [plain("ada", "right")], 235],
  ["PLAIN after a challenge", ["AUTH PLAIN", base64("\0ada\0right")], 235],
  ["PLAIN with the user as authorization identity only", [`AUTH PLAIN ${base64("ada\0\0right")}`], 235],
  ["LOGIN", ["AUTH LOGIN", base64("ada"), base64("right")], 235],
  ["LOGIN with the user at once", [`AUTH LOGIN ${base64("ada")}`, base64("right")], 235],
  ["PLAIN with a wrong password", [plain("ada", "wrong")], 535],
  ["LOGIN with a wrong password", ["AUTH LOGIN", base64("ada"), base64("wrong")], 535],
  ["PLAIN with an empty password", [plain("ada", "")], 535],
  ["PLAIN given up", ["AUTH PLAIN", "*"], 501],
  ["PLAIN that is no base64 of three parts", ["AUTH PLAIN xxxx"], 501],
  ["a mechanism that is not offered", ["AUTH CRAM-MD5"], 504],
])("%s", async (_, lines, code) => {
  await using listener = await startListener({ auth: "required" }, keys)
  const client = await listener.connect()
  expect(await hello(client)).toContain("AUTH PLAIN LOGIN")
  let last = 0
  for (const line of lines) last = (await client.say(line)).code
  expect(last).toBe(code)
  await client.say("MAIL FROM:<a@one.test>")
  const recipient = await client.say("RCPT TO:<b@two.test>")
  expect(recipient.code).toBe(code === 235 ? 250 : 503)
})

test("the result of authenticate is passed with every message until the connection ends", async () => {
  const seen: unknown[] = []
  await using listener = await startListener(
    { auth: "required" },
    {
      ...keys,
      recipient: (_address, _from, peer) => {
        seen.push(peer.session)
        return undefined
      },
    },
  )
  const client = await listener.connect()
  await hello(client)
  expect((await client.say(plain("ada", "right"))).text).toStartWith("235 2.7.0")
  for (let i = 0; i < 2; i++) {
    await client.envelope("a@one.test", "b@two.test")
    expect((await client.data("x")).code).toBe(250)
  }
  expect(listener.received.map(({ session }) => session)).toEqual(["project of ada", "project of ada"])
  expect(seen).toEqual(["project of ada", "project of ada"])
})

test("a wrong login is 535 5.7.8, and the fifth one closes the connection", async () => {
  await using listener = await startListener({ auth: "optional" }, keys)
  const client = await listener.connect()
  await hello(client)
  for (let i = 0; i < 4; i++) expect((await client.say(plain("ada", "wrong"))).text).toStartWith("535 5.7.8")
  expect((await client.say(plain("ada", "wrong"))).text).toStartWith("421 4.7.0")
  await client.closed
})

test("a login that cannot be checked is a temporary failure without details, and is logged", async () => {
  await using listener = await startListener(
    { auth: "required" },
    { authenticate: () => Promise.reject(new Error("secret")) },
  )
  const client = await listener.connect()
  await hello(client)
  const reply = await client.say(plain("ada", "right"))
  expect(reply.text).toStartWith("454 4.7.0")
  expect(reply.text).not.toContain("secret")
  expect(listener.logged.map(({ fields }) => fields.reason)).toEqual(["secret"])
})

test("logins that cannot be checked do not count as failed ones", async () => {
  let isBroken = true
  await using listener = await startListener(
    { auth: "required" },
    {
      authenticate(user) {
        if (isBroken) throw new Error("no database")
        return user
      },
    },
  )
  for (let i = 0; i < 40; i++) {
    const client = await listener.connect()
    await hello(client)
    expect((await client.say(plain("ada", "right"))).text).toStartWith("454 4.7.0")
    client.drop()
    await client.closed
  }
  isBroken = false
  const client = await listener.connect()
  await hello(client)
  expect((await client.say(plain("ada", "right"))).code).toBe(235)
})

test("a client that is logged in cannot log in again", async () => {
  await using listener = await startListener({ auth: "required" }, keys)
  const client = await listener.connect()
  await hello(client)
  await client.say(plain("ada", "right"))
  expect((await client.say(plain("bo", "right"))).code).toBe(503)
})

test("a client that is logged in may name the author of the mail, although AUTH is offered no more (RFC 4954, 5)", async () => {
  await using listener = await startListener({ auth: "optional" }, keys)
  const client = await listener.connect()
  await hello(client)
  await client.say(plain("ada", "right"))
  expect((await hello(client)).join()).not.toContain("AUTH")
  expect((await client.say("MAIL FROM:<a@one.test> AUTH=ada+40one.test SIZE=100")).code).toBe(250)
})

test("a login within a message is refused: its recipients were judged without it (RFC 4954, 4)", async () => {
  const judged: (string | undefined)[] = []
  await using listener = await startListener(
    { auth: "optional" },
    { ...keys, recipient: (_address, _from, { session }) => void judged.push(session) },
  )
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.say(plain("ada", "right"))).text).toStartWith("503 5.5.1")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received.map(({ session }) => session)).toEqual([undefined])
  expect(judged).toEqual([undefined])
  expect((await client.say(plain("ada", "right"))).code).toBe(235)
})

test("where a login is required, mail without one is refused with 530 5.7.0", async () => {
  await using listener = await startListener({ auth: "required" }, keys)
  const client = await listener.connect()
  await hello(client)
  expect((await client.say("MAIL FROM:<a@one.test>")).text).toBe("530 5.7.0 Log in first")
})

test("where a login is optional, mail without one is accepted without a session", async () => {
  await using listener = await startListener({ auth: "optional" }, keys)
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.session).toBeUndefined()
})

test("without logins AUTH is neither offered nor accepted", async () => {
  await using listener = await startListener({ auth: "none" }, keys)
  const client = await listener.connect()
  expect((await hello(client)).join()).not.toContain("AUTH")
  expect((await client.say(plain("ada", "right"))).code).toBe(500)
})

test.each([
  [undefined, "127.0.0.1", "without TLS", true],
  [undefined, "203.0.113.5", "without TLS", false],
  [undefined, "203.0.113.5", "with TLS", true],
  ["loopback", "::1", "without TLS", true],
  ["loopback", "2001:db8::1", "without TLS", false],
  ["nobody", "127.0.0.1", "without TLS", false],
  ["nobody", "127.0.0.1", "with TLS", true],
  ["anyone", "203.0.113.5", "without TLS", true],
] as const)(
  "AUTH allowed without TLS to %p is open to %s %s: %p (contract B9.6)",
  (authWithoutTls, remoteAddress, tls, isOpen) => {
    const session = { remoteAddress, secure: tls === "with TLS" } as SMTPServerSession
    const { log } = recordingLog()
    const options = {
      host: "127.0.0.1",
      port: 25,
      hostname: "mail.test",
      auth: "optional",
      log,
      clock: systemClock,
    } as const
    createHooks(
      { ...options, ...(authWithoutTls && { authWithoutTls }) },
      keys as Receiver<string>,
      () => true,
    ).connect(session, () => {})
    expect(session.disabledCommands?.includes("AUTH")).toBe(!isOpen)
  },
)

test("a password is not accepted without TLS where that is not allowed, nor is mail", async () => {
  const asked: string[] = []
  await using listener = await startListener(
    { auth: "required", authWithoutTls: "nobody", tls: testCertificate },
    {
      authenticate: (user) => {
        asked.push(user)
        return user
      },
    },
  )
  const client = await listener.connect()
  const offered = await hello(client)
  expect(offered.join()).not.toContain("AUTH")
  expect(offered).toContain("STARTTLS")
  expect((await client.say(plain("ada", "right"))).code).toBe(500)
  expect((await client.say("MAIL FROM:<a@one.test>")).text).toBe("530 5.7.0 Say STARTTLS, then log in")
  expect(asked).toEqual([])
  await client.startTls()
  expect(await hello(client)).toContain("AUTH PLAIN LOGIN")
  expect((await client.say(plain("ada", "right"))).code).toBe(235)
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received[0]?.session).toBe("ada")
})

test("STARTTLS resets the login, the envelope and any unencrypted input after it", async () => {
  await using listener = await startListener({ auth: "required", tls: testCertificate }, keys)
  const client = await listener.connect()
  await hello(client)
  await client.say(plain("ada", "right"))
  await client.say("MAIL FROM:<a@one.test>")
  await client.startTls()
  expect((await client.say("RCPT TO:<b@two.test>")).code).toBe(503)
  await hello(client)
  expect((await client.say("MAIL FROM:<a@one.test>")).code).toBe(530)
})

test("mail after STARTTLS is refused until there is a new login", async () => {
  await using listener = await startListener({ auth: "optional", tls: testCertificate }, keys)
  const client = await listener.connect()
  await hello(client)
  await client.say(plain("ada", "right"))
  await client.startTls()
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  await client.say(plain("bo", "right"))
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received.map(({ session }) => session)).toEqual([undefined, "project of bo"])
})

test("commands injected after STARTTLS are not run inside TLS", async () => {
  await using listener = await startListener({ tls: testCertificate })
  const client = await listener.connect()
  await hello(client)
  await client.startTls("EHLO evil.test\r\nMAIL FROM:<evil@one.test>\r\n")
  expect((await client.say("RCPT TO:<b@two.test>")).code).toBe(503)
  await client.envelope("a@one.test", "b@two.test")
  expect((await client.data("x")).code).toBe(250)
  expect(listener.received.map(({ mailFrom, helo }) => [mailFrom, helo])).toEqual([["a@one.test", "client.test"]])
})

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:10.0.0.1", false],
  ["10.0.0.1", false],
  ["192.0.2.127", false],
  ["127.0.0.1.example", false],
  ["fe80::1", false],
  ["", false],
])("loopback: %s %p", (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})

test("a listener with logins needs a function that checks them", async () => {
  await expect(startListener({ auth: "required" })).rejects.toThrow("Nobody checks logins")
})

import { afterAll, beforeAll, expect, test } from "bun:test"
import { type IncomingApp, shop, startIncomingApp } from "../harness/incoming.ts"
import { rowOf } from "../harness/mails.ts"
import { freePort, type Postfix, startPostfix } from "../harness/postfix.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { until } from "../harness/store.ts"

/** Our mail goes by Postfix to the server of the recipient, and what Postfix has to say of it comes to the return path. */
let remote: SmtpSink
let postfix: Postfix
let postfixPort: number
let app: IncomingApp
beforeAll(async () => {
  remote = await startSink()
  postfixPort = await freePort()
  app = await startIncomingApp({
    settings: { "mail.url": `smtp://127.0.0.1:${postfixPort}?tls=off` },
    realTransports: true,
  })
  postfix = await startPostfix(postfixPort, {
    "remote.test": remote.port,
    [shop]: app.port,
    [`bounce.${shop}`]: app.port,
  })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await postfix.stop()
  await remote.stop()
})

const statusOf = async (id: string) => (await rowOf(app.it, id)).status

test("what the server of the recipient takes carries the return path of its mail", async () => {
  const { id } = await app.mail("ada@remote.test")
  await until(() => remote.messages.length > 0)
  expect(remote.messages[0]?.from).toMatch(/^bounce\+[0-9a-f]{52}@bounce\.shop\.test$/)
  expect(await statusOf(id)).toBe("SENT")
})

test.each([
  ["an unknown user", "550 5.1.1 No such user", "nobody@remote.test", "BOUNCED"],
  ["a full mailbox", "552 5.2.2 Mailbox full", "full@remote.test", "SENT"],
  ["a disabled mailbox", "550 5.2.1 Mailbox disabled", "off@remote.test", "BOUNCED"],
] as const)("%s comes back as a report of Postfix (contract B9.6.4)", async (_, refusal, to, status) => {
  remote.always("rcpt", (line) => (line.includes(to) ? refusal : undefined))
  const { id } = await app.mail(to)
  const reported = async () => (await app.events("email.bounce")).filter(({ emailId }) => emailId === id)
  await until(async () => (await reported()).length > 0)
  const { body: contact } = await app.it.api(`GET /contacts/${(await rowOf(app.it, id)).contactId}`)
  expect([await statusOf(id), contact.subscribed]).toEqual([status, status === "SENT"])
  expect(await reported()).toHaveLength(1)
})

test("mail of others comes in by Postfix (contract B9.6.3)", async () => {
  const client = await connectSmtp(postfixPort)
  await client.reply()
  await client.envelope("ada@remote.test", `hi@${shop}`)
  await client.data(`From: Ada <ada@remote.test>\r\nTo: hi@${shop}\r\nSubject: Hello\r\n\r\nHello`)
  client.drop()
  await until(async () => (await app.events("email.received")).length > 0)
  const [event] = await app.events("email.received")
  expect(event?.data).toMatchObject({ from: "ada@remote.test", to: `hi@${shop}`, subject: "Hello" })
})

test("mail that is refused here goes back to its sender by Postfix, and nothing of it stays", async () => {
  const before = remote.messages.length
  const client = await connectSmtp(postfixPort)
  await client.reply()
  await client.envelope("ada@remote.test", `bounce+forged@bounce.${shop}`)
  await client.data("From: ada@remote.test\r\nSubject: Forged\r\n\r\nHello")
  client.drop()
  await until(() => remote.messages.length > before)
  const report = remote.messages.at(-1)
  expect([report?.from, report?.to]).toEqual(["", ["ada@remote.test"]])
  expect(report?.raw.toString()).toContain("550 5.1.1")
})

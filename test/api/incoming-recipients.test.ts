import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { setVerified } from "../harness/domains.ts"
import { type IncomingApp, shop, startIncomingApp } from "../harness/incoming.ts"

let app: IncomingApp
beforeAll(async () => {
  app = await startIncomingApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The reply to RCPT TO with exactly this argument. */
async function replyTo(argument: string, from = "<ada@example.com>"): Promise<string> {
  const client = await app.connect()
  await client.say("EHLO mx.example.com")
  await client.say(`MAIL FROM:${from}`)
  const { text } = await client.say(`RCPT TO:${argument}`)
  client.drop()
  return text.slice(0, 9).trimEnd()
}

describe("Recipients of incoming mail (contract B9.6)", () => {
  test.each([`<hi@${shop}>`, `<HI@${shop.toUpperCase()}>`, `<any.thing+else@${shop}>`, "<hi@acme.test>"])(
    "%s is taken",
    async (argument) => {
      expect(await replyTo(argument)).toStartWith("250")
    },
  )

  test("an international address is taken, and found in To however its accents are written (RFC 6531)", async () => {
    await using own = await startIncomingApp()
    const message = `From: ada@example.com\nTo: Büro <BÜRO@${shop}>\nSubject: Hi\n\nHello\n`
    for (const form of ["NFC", "NFD"])
      expect(await own.deliver("ada@example.com", `büro@${shop}`.normalize(form), message)).toMatchObject({ code: 250 })
    const received = await own.events("email.received")
    expect(received.map(({ data }) => data.to)).toEqual(Array(2).fill(`büro@${shop}`))
    const { body } = await own.it.api("GET /inbox")
    expect(body.data.map(({ to, toName }: Record<string, string>) => [to, toName])).toEqual(
      Array(2).fill([`büro@${shop}`, "Büro"]),
    )
    for (const odd of [`bü ro@${shop}`, `bü\u200bro@${shop}`, `bü\u202ero@${shop}`, `bü@ro@${shop}`, `bü%ada@${shop}`])
      expect(await replyTo(`<${odd}>`)).toMatch(/^5/)
  })

  test("a report has no sender, and is taken at any address of the domain too", async () => {
    expect(await replyTo(`<hi@${shop}>`, "<>")).toStartWith("250")
  })

  /** Every way of asking a server to pass mail on to somebody else. */
  test.each([
    "<ada@example.com>",
    "<ada@other.test>",
    "<ada@localhost>",
    "<ada@[127.0.0.1]>",
    "<ada@127.0.0.1>",
    "<ada>",
    "<postmaster>",
    `<ada%example.com@${shop}>`,
    `<ada%example.com@[127.0.0.1]>`,
    `<ada%example.com@mail.mailstead.test>`,
    `<example.com!ada@${shop}>`,
    `<example.com!ada>`,
    `<a!b!ada@${shop}>`,
    `<"ada@example.com"@${shop}>`,
    `<"ada@example.com">`,
    `<"ada"@example.com>`,
    `<"a b"@${shop}>`,
    `<@${shop}:ada@example.com>`,
    `<@${shop},@mail.mailstead.test:ada@example.com>`,
    `<ada@example.com@${shop}>`,
    `<ada@${shop}@example.com>`,
    `<ada@example.com,hi@${shop}>`,
    `<ada@sub.${shop}>`,
    `<ada@not-${shop}>`,
    `<ada@${shop}.example.com>`,
    `<ada@${shop}\u0000.example.com>`,
  ])("%j is not relayed", async (argument) => {
    expect(await replyTo(argument)).toMatch(/^(?:550 5\.7\.1|501 5\.|55[03] 5\.)/)
  })

  test("postmaster without a domain is that of the server, and at a return path host that of its domain", async () => {
    await using own = await startIncomingApp({ settings: { "smtp.hostname": `mail.eu.${shop}` } })
    for (const to of ["postmaster", "Postmaster", `PostMaster@bounce.${shop}`])
      expect(
        await own.deliver("ada@example.com", to, "From: ada@example.com\nSubject: Your server\n\nHello\n"),
      ).toMatchObject({ code: 250 })
    const received = await own.events("email.received")
    expect(received.map(({ data }) => data.to)).toEqual(Array(3).fill(`postmaster@${shop}`))
  })

  test("a source route to a domain of ours is left out, as RFC 5321, C asks", async () => {
    expect(await replyTo(`<@example.com,@example.net:hi@${shop}>`)).toBe("250 2.1.5")
  })

  test.each([
    `<bounce+${"0".repeat(52)}@bounce.${shop}>`,
    `<bounce+short@bounce.${shop}>`,
    `<bounce+@bounce.${shop}>`,
    `<anybody@bounce.${shop}>`,
    `<bounce+${"0".repeat(52)}@example.com>`,
  ])("%s was not made here", async (argument) => {
    expect(await replyTo(argument)).toBe("550 5.1.1")
  })

  test("a return path is valid with all of its characters, whatever their case, and at its own host only", async () => {
    const { returnPath } = await app.mail("to@example.com")
    expect(returnPath).toMatch(/^bounce\+[0-9a-f]{52}@bounce\.shop\.test$/)
    expect(await replyTo(`<${returnPath}>`, "<>")).toStartWith("250")
    expect(await replyTo(`<${returnPath.toUpperCase()}>`, "<>")).toStartWith("250")
    const at = returnPath.indexOf("@") - 1
    const other = returnPath[at] === "0" ? "1" : "0"
    expect(await replyTo(`<${returnPath.slice(0, at)}${other}${returnPath.slice(at + 1)}>`)).toBe("550 5.1.1")
    expect(await replyTo(`<${returnPath.slice(0, at)}${returnPath.slice(at + 1)}>`)).toBe("550 5.1.1")
    expect(await replyTo(`<${returnPath.replace(shop, "acme.test")}>`)).toBe("550 5.1.1")
  })

  test("a domain that is no longer verified gets no mail, and its return paths go on", async () => {
    const { returnPath } = await app.mail("to@example.com")
    await setVerified(app.it, shop, false)
    expect(await replyTo(`<hi@${shop}>`)).toBe("550 5.7.1")
    expect(await replyTo(`<${returnPath}>`, "<>")).toStartWith("250")
  })

  test("nobody can log in", async () => {
    const client = await app.connect()
    const { lines } = await client.say("EHLO mx.example.com")
    expect(lines.filter((line) => line.startsWith("AUTH"))).toEqual([])
    expect((await client.say("AUTH PLAIN AGEAYg==")).code).toBeGreaterThanOrEqual(500)
    client.drop()
  })
})

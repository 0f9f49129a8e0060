import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type IncomingApp, startIncomingApp } from "../harness/incoming.ts"
import { rowOf } from "../harness/mails.ts"
import { returnedMessages } from "../harness/returned-messages.ts"

let app: IncomingApp
let next = 0
beforeAll(async () => {
  app = await startIncomingApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const address = () => `to${++next}@example.com`

/** What became of a mail, in a word; `mixed` should never be. */
async function effectOn(id: string): Promise<string> {
  const row = await rowOf(app.it, id)
  const bounces = (await app.events("email.bounce")).filter(({ emailId }) => emailId === id)
  const contact = (await app.it.api(`GET /contacts/${row.contactId}`)).body
  const facts = [row.status, bounces.map(({ data }) => data.bounceType).join(), contact.subscribed].join(" ")
  const known: Readonly<Record<string, string>> = {
    "BOUNCED Permanent false": "permanent",
    "SENT Transient true": "transient",
    "DELIVERED  true": "delivered",
    "COMPLAINED  false": "complaint",
    "SENT  true": "nothing",
  }
  return known[facts] ?? `mixed: ${facts}`
}

describe("What comes to the return path (contract B9.6.4)", () => {
  test(`${Object.keys(returnedMessages).length} of ${Object.keys(returnedMessages).length} shapes of reports are read right`, async () => {
    const wrong: string[] = []
    for (const [name, { from, expected, content }] of Object.entries(returnedMessages)) {
      const to = address()
      const { id, returnPath } = await app.mail(to)
      const { code } = await app.deliver(from.replace(/[<>]/g, ""), returnPath, content.replaceAll("{to}", to))
      const effect = await effectOn(id)
      if (code !== 250 || effect !== expected) wrong.push(`${name}: ${code} ${effect}, not ${expected}`)
    }
    expect(wrong).toEqual([])
  }, 110_000)

  test.each([
    ["as it is read", "utf-8; ada{n}@bücher.example"],
    ["escaped (RFC 6533, 3)", "utf-8; ada{n}@b\\x{FC}cher.example"],
    ["in ASCII", "rfc822; ada{n}@xn--bcher-kva.example"],
  ])("of several addresses that of the mail counts, when its domain is written %s", async (_, shape) => {
    const { id, returnPath } = await app.mail(`ada${++next}@bücher.example`)
    const report = [
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "",
      "--b",
      "Content-Type: message/global-delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.com",
      "",
      "Final-Recipient: rfc822; member@list.example",
      "Action: failed",
      "Status: 5.1.1",
      "",
      `Final-Recipient: ${shape.replace("{n}", String(next))}`,
      "Action: delayed",
      "Status: 4.4.7",
      "",
      "--b--",
    ].join("\n")
    expect((await app.deliver("", returnPath, report)).code).toBe(250)
    expect(await effectOn(id)).toBe("transient")
  })

  const dsn = (to: string, status: string, action = "failed") =>
    [
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.com",
      "",
      `Final-Recipient: rfc822; ${to}`,
      `Action: ${action}`,
      `Status: ${status}`,
      "",
      "--b--",
    ].join("\n")

  test.each([
    ["5.1.0", "permanent"],
    ["5.1.1", "permanent"],
    ["5.1.2", "permanent"],
    ["5.1.3", "permanent"],
    ["5.1.6", "permanent"],
    ["5.1.10", "permanent"],
    ["5.2.1", "permanent"],
    ["5.4.4", "permanent"],
    // Of the sender: its address, its domain, its limit of a day at Microsoft 365.
    ["5.1.7", "transient"],
    ["5.1.8", "transient"],
    ["5.1.90", "transient"],
    ["5.0.0", "transient"],
    ["5.2.0", "transient"],
    ["5.2.2", "transient"],
    ["5.2.3", "transient"],
    ["5.3.4", "transient"],
    ["5.4.1", "transient"],
    ["5.4.6", "transient"],
    ["5.5.0", "transient"],
    ["5.7.1", "transient"],
    ["5.7.26", "transient"],
    ["5.11.1", "transient"],
    ["4.1.1", "transient"],
    ["4.2.2", "transient"],
    ["4.4.7", "transient"],
  ])("a failure with %s is %s", async (status, expected) => {
    const to = address()
    const { id, returnPath } = await app.mail(to)
    await app.deliver("", returnPath, dsn(to, status))
    expect(await effectOn(id)).toBe(expected)
  })

  test("a report that comes again has no second effect, and another one has", async () => {
    const to = address()
    const { id, returnPath } = await app.mail(to)
    for (const text of ["Once", "Once", "Twice"])
      await app.deliver("", returnPath, `Subject: ${text}\n${dsn(to, "4.4.1", "delayed")}`)
    const bounces = (await app.events("email.bounce")).filter(({ emailId }) => emailId === id)
    expect(bounces).toHaveLength(2)
  })

  test.each([
    ["delivered", "failed", "BOUNCED"],
    ["failed", "delivered", "BOUNCED"],
    ["failed", "delayed", "BOUNCED"],
  ] as const)("%s and then %s makes %s", async (first, second, status) => {
    const to = address()
    const { id, returnPath } = await app.mail(to)
    const codes = { delivered: "2.0.0", failed: "5.1.1", delayed: "4.4.1" }
    for (const action of [first, second]) await app.deliver("", returnPath, dsn(to, codes[action], action))
    const row = await rowOf(app.it, id)
    expect([row.status, row.bouncedAt !== null, row.deliveredAt !== null]).toEqual([
      status,
      true,
      first === "delivered" || second === "delivered",
    ])
  })

  test("a report has no effect on other mail than that of its token", async () => {
    const to = address()
    const one = await app.mail(to)
    const other = await app.mail(to)
    await app.deliver("", one.returnPath, dsn(to, "5.1.1"))
    expect((await rowOf(app.it, one.id)).status).toBe("BOUNCED")
    expect((await rowOf(app.it, other.id)).status).toBe("SENT")
  })

  test("a report of a mail that is deleted is taken and forgotten", async () => {
    const to = address()
    const { id, returnPath } = await app.mail(to)
    const { contactId } = await rowOf(app.it, id)
    await app.it.api(`DELETE /contacts/${contactId}`)
    expect((await app.deliver("", returnPath, dsn(to, "5.1.1"))).code).toBe(250)
  })

  test("nothing that comes to a return path is answered, or kept as mail", async () => {
    const before = app.it.sent().length
    const { returnPath } = await app.mail(address())
    await app.deliver("ada@example.com", returnPath, "Subject: Re: Hello\n\nThanks")
    await app.it.settle()
    expect(app.it.sent().length).toBe(before + 1)
    expect(await app.events("email.received")).toEqual([])
  })
})

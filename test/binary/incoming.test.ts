import { afterEach, beforeEach, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import net from "node:net"
import { join } from "node:path"
import { dkimSigner } from "../../src/mail/dkim.ts"
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
let dns: DnsServer
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 1_024 })
const key = publicKey.export({ type: "spki", format: "der" }).toString("base64")
beforeEach(async () => {
  place = emptyPlace()
  dns = await startDnsServer({
    "good.example.com": [["TXT", "v=spf1 ip4:127.0.0.1 -all"]],
    "s1._domainkey.good.example.com": [["TXT", [`v=DKIM1; k=rsa; p=${key.slice(0, 100)}`, key.slice(100)]]],
    "_dmarc.good.example.com": [["TXT", "v=DMARC1; p=reject"]],
  })
})
afterEach(async () => {
  place.remove()
  await dns.stop()
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

test("mail comes in, and SPF, DKIM and DMARC are judged on a thread (contract B9.6.3)", async () => {
  const data = join(place.folder, "data")
  const { id, secret } = JSON.parse((await place.run(["project", "create", "P", "--json", "--data", data])).stdout)
  await place.run(["domain", "add", "shop.test", "--project", id, "--verified", "--data", data])
  const inboundPort = await freePort()
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, {
    MAILSTEAD_SMTP_INBOUND_PORT: String(inboundPort),
    MAILSTEAD_DNS_SERVERS: dns.address,
  })
  expect(server.printed).toContain(`Incoming mail on 127.0.0.1:${inboundPort}`)
  const message = "From: ada@good.example.com\r\nTo: hi@shop.test\r\nSubject: Hi\r\n\r\nHello\r\n"
  const signer = dkimSigner({
    domain: "good.example.com",
    keys: [{ selector: "s1", algorithm: "rsa", privateKey }],
    at: Date.UTC(2026, 0, 31),
  })
  const client = await connectSmtp(inboundPort)
  await client.reply()
  await client.envelope("ada@good.example.com", "hi@shop.test")
  expect(
    (
      await client.data(
        Buffer.from(signer.sign(Buffer.from(message)))
          .toString()
          .replace(/\r\n$/, ""),
      )
    ).code,
  ).toBe(250)
  client.drop()
  const url = /listening on (\S+)/.exec(server.printed)?.[1]
  const answer = await fetch(`${url}/events?eventName=email.received`, {
    headers: { Authorization: `Bearer ${secret}` },
  })
  const { data: events } = (await answer.json()) as { data: { data: object }[] }
  expect(events.map((event) => event.data)).toEqual([
    expect.objectContaining({ body: "Hello\n", spfVerdict: "PASS", dkimVerdict: "PASS", dmarcVerdict: "PASS" }),
  ])
  expect(await server.stop()).toBe(0)
})

import { eq } from "drizzle-orm"
import type { SmtpPorts } from "../../src/inbound/ports.ts"
import { type Event, eventTable } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp, type TestOptions } from "./app.ts"
import { type DnsServer, startDnsServer, type Zone, type ZoneRecord } from "./dns-server.ts"
import { storedEvents } from "./scenarios.ts"
import { connectSmtp, type SmtpClient, type SmtpReply } from "./smtp-client.ts"

/** An app that receives mail for `shop.test`, which it has verified by the DNS, and whose return path is published. */
export interface IncomingApp extends AsyncDisposable {
  readonly it: TestApp
  readonly dns: DnsServer
  readonly port: number
  readonly ports: SmtpPorts
  /** Connects, and reads the greeting. */
  connect(): Promise<SmtpClient>
  /** One message from a server that knows SMTP; resolves with the last reply. CRLF is put between the lines. */
  deliver(from: string, to: string | readonly string[], content: string): Promise<SmtpReply>
  /** Sends a mail from `shop.test`; resolves to its id and its envelope sender. */
  mail(to: string, options?: { readonly subscribed?: boolean }): Promise<{ id: string; returnPath: string }>
  events(name: string): Promise<Event[]>
}

export const shop = "shop.test"

export async function startIncomingApp(options: TestOptions = {}): Promise<IncomingApp> {
  const dns = await startDnsServer()
  const it = await startTestApp({
    ...options,
    settings: {
      "dns.servers": dns.address,
      "smtp.hostname": "mail.mailstead.test",
      "smtp.inbound_port": "25",
      ...options.settings,
    },
    overrides: { freeSmtpPorts: true, ...options.overrides },
  })
  const clients: SmtpClient[] = []
  const { body: domain } = await it.api("POST /domains", { body: { domain: shop } })
  dns.zone = { ...dns.zone, ...zoneOf(domain.records) }
  await it.api(`GET /domains/${domain.id}/verify`)
  const { smtp: ports } = await it.app.start()
  const { inbound: inboundPort } = ports
  if (inboundPort === null) throw new Error("Nothing listens for incoming mail")

  async function connect(): Promise<SmtpClient> {
    const client = await connectSmtp(inboundPort ?? 0)
    clients.push(client)
    await client.reply()
    return client
  }

  return {
    it,
    dns,
    port: inboundPort,
    ports,
    connect,
    async deliver(from, to, content) {
      const client = await connect()
      const last = await client.envelope(from, ...[to].flat())
      const reply = last.code === 250 ? await client.data(content.replaceAll(/\r?\n/g, "\r\n")) : last
      client.drop()
      return reply
    },
    async mail(to, { subscribed = true } = {}) {
      const body = { to, from: `news@${shop}`, subject: "Hello", body: "<p>Hello</p>", subscribed }
      const { status, body: answer } = await it.api("POST /v1/send", { body })
      if (status !== 200) throw new Error(`Not accepted: ${JSON.stringify(answer)}`)
      const id: string = answer.data.emails[0].email
      await it.settle()
      return { id, returnPath: it.sent().find((message) => message.id === id)?.envelope.from ?? "" }
    },
    events: (name) => storedEvents(it, eq(eventTable.name, name)),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.drop()
      await it.close()
      await dns.stop()
    },
  }
}

interface DnsRecord {
  readonly type: "TXT" | "MX" | "CNAME"
  readonly name: string
  readonly value: string
  readonly priority?: number
}

/** The zone that has these records; a TXT record is made of strings of at most 255 octets (RFC 1035, 3.3.14). */
function zoneOf(records: readonly DnsRecord[]): Zone {
  const zone: Record<string, ZoneRecord[]> = {}
  for (const { type, name, value, priority } of records) {
    const data = type === "MX" ? { preference: priority, exchange: value } : (value.match(/.{1,255}/g) ?? [])
    zone[name] = [...(zone[name] ?? []), [type, data, 1]]
  }
  return zone
}

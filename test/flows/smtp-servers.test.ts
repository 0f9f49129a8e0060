import { afterAll, beforeAll, expect, test } from "bun:test"
import { compose } from "../../src/mail/compose.ts"
import { buildTransport } from "../contracts/build.ts"
import { messageTo, richDraft } from "../contracts/messages.ts"
import { type ForeignServer, startForeignServers } from "../harness/smtp-servers.ts"
import { until } from "../harness/store.ts"

let servers: ForeignServer[] = []
beforeAll(async () => {
  const started = await startForeignServers()
  servers = started.servers
  if (started.missing.length > 0) console.warn(`Not tested, because not installed: ${started.missing.join(", ")}`)
})
afterAll(async () => {
  for (const server of servers) await server.stop()
})

test("foreign mail servers take mail of any kind over connections that are used again", async () => {
  expect(servers.length).toBeGreaterThan(1)
  for (const { name, port, passedOn } of servers) {
    const { transport, send } = await buildTransport(`smtp://127.0.0.1:${port}?tls=off&pool=2`)
    const rich = compose(richDraft("ada@example.com"))
    const large = messageTo("ada@example.com", { html: `<p>${"lorem ipsum.\n.\n".repeat(20_000)}</p>` })
    const small = Array.from({ length: 12 }, () => messageTo("ada@example.com"))
    const messages = [rich, large, ...small]
    const receipts = await Promise.all(messages.map(send))
    expect({ name, receipts }).toEqual({ name, receipts: messages.map(() => ({ outcome: "sent", providerId: null })) })
    await transport.close()
    if (!passedOn) continue
    await until(() => passedOn().length === messages.length)
    for (const message of messages) {
      // A server puts fields of its own before those of the message.
      const bytes = Buffer.from(message.mime())
      expect(passedOn().filter((raw) => raw.subarray(-bytes.length).equals(bytes))).toHaveLength(1)
    }
  }
})

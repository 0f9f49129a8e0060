import { expect, test } from "bun:test"
import { judge } from "../../src/inbound/judge.ts"
import type { Dns } from "../../src/net/dns.ts"

const none = async () => ({ kind: "none" }) as const
const dns: Dns = { mx: none, addresses: none, txt: none, cname: none, names: none }
const signature =
  "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s1; h=From; bh=AAAA; b=AAAA\r\n"

/** The processor time that a signed message with this body takes. */
async function judgeMs(body: string): Promise<number> {
  const raw = Buffer.from(`${signature}From: ada@example.com\r\n\r\n${body}\r\n`)
  const before = process.threadCpuUsage()
  await judge({ raw, remoteAddress: "192.0.2.1", helo: "mx.test", mailFrom: "", hostname: "mx.acme.test" }, dns)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

test("A signed message that is one line takes no more than a few times as long as one of many lines", async () => {
  const bytes = 24 * 1_048_576
  const inLines = await judgeMs(`${"a".repeat(62)}\r\n`.repeat(bytes / 64))
  expect(await judgeMs("a".repeat(bytes))).toBeLessThan(8 * inLines)
}, 120_000)

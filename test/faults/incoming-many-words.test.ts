import { expect, test } from "bun:test"
import { shop, startIncomingApp } from "../harness/incoming.ts"
import { workedMs } from "../harness/processor-time.ts"

test("Mail with thousands of words in a charset that nobody knows does not hold up the server (contract B9.6.3)", async () => {
  await using app = await startIncomingApp()
  async function workFor(charset: string): Promise<number> {
    const head = `From: ${`=?${charset}?Q?a?= `.repeat(5_500)}<ada@example.com>`
    const before = workedMs()
    expect((await app.deliver("ada@example.com", `hi@${shop}`, `${head}\n\nHello`)).code).toBe(250)
    return workedMs() - before
  }
  await workFor("utf-8")
  const known = await workFor("utf-8")
  const unknown = Math.min(await workFor("x"), await workFor("x"), await workFor("x"))
  expect(unknown).toBeLessThan(4 * known + 100)
  for (const { data } of await app.events("email.received")) expect(data.from).toBe("ada@example.com")
})

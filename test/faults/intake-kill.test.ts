import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { freePort } from "../harness/acme.ts"
import { type RunningMailstead, startMailstead } from "../harness/mailstead.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let server: RunningMailstead | undefined
afterEach(() => server?.kill())

const clients = 8
const kills = 3

test("mail that was acknowledged over SMTP is stored with its bytes, despite a kill at any time", async () => {
  const home = folder()
  const acknowledged: string[] = []
  for (let killed = 0; killed < kills; killed++) {
    const port = await freePort()
    const running = await startMailstead(["sandbox", "--port", "0", "--smtp-port", String(port), "--data", home])
    server = running
    const until = acknowledged.length + 60 + killed * 25
    let sent = 0

    const client = async (): Promise<void> => {
      const smtp = await connectSmtp(port)
      await smtp.reply()
      for (;;) {
        const id = `mail-${killed}-${sent++}@acme.test`
        await smtp.envelope("app@acme.test", "ada@example.com")
        const { code } = await smtp.data(`Message-ID: <${id}>\r\nSubject: Hi\r\n\r\n${id}`)
        expect(code).toBe(250)
        acknowledged.push(id)
        if (acknowledged.length === until) void running.kill()
      }
    }
    const endings = await Promise.allSettled(Array.from({ length: clients }, client))
    expect(endings.map((one) => one.status === "rejected" && String(one.reason)).filter(isUnexpected)).toEqual([])
    await running.kill()
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 60)

  server = await startMailstead(["sandbox", "--port", "0", "--smtp-port", "0", "--data", home])
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const query = db.query<{ id: string; bytes: Uint8Array }, []>(
    `SELECT message_id AS id, bytes FROM email JOIN captured ON email_id = email.id
      JOIN raw_message ON raw_message.id = raw_id`,
  )
  const bodies = query.all().map(({ id, bytes }) => `${id} ${Buffer.from(bytes).toString().split("\r\n").at(-2)}`)
  db.close()
  const stored = new Set(bodies)
  expect(acknowledged.filter((id) => !stored.has(`${id} ${id}`))).toEqual([])
  expect(stored.size).toBe(bodies.length)
})

/** Of how a client ended: the kill ends its connection. */
const isUnexpected = (reason: string | false): boolean =>
  reason === false || !/connection was closed|ECONNRE/.test(reason)

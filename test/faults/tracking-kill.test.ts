import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { createLinks } from "../../src/mail/links.ts"
import { openSecret } from "../../src/store/secret.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let server: RunningMailstead | undefined
afterEach(() => server?.kill())

const clients = 16
const kills = 5

/** Sends one mail to `count` contacts; resolves to the ids of their mails. */
async function sendMails(home: string, count: number): Promise<string[]> {
  const { config } = loadConfig({ options: { data: home } })
  const { secret } = await withModules(config, async ({ projects, domains }) => {
    const project = await projects.create("Acme")
    await domains.add(project.id, "acme.test", { vouched: true })
    return project
  })
  server = await startServer(home)
  const to = Array.from({ length: count }, (_, n) => `p${n}@example.com`)
  const response = await fetch(`${server.url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }),
  })
  await server.kill()
  const { data } = (await response.json()) as { data: { emails: { email: string }[] } }
  return data.emails.map(({ email }) => email)
}

test("an open that was answered is counted, despite a kill at any time", async () => {
  const home = folder()
  const ids = await sendMails(home, 100)
  const links = createLinks(() => "", openSecret(home))
  const answered = new Map(ids.map((id) => [id, 0]))
  for (let killed = 0; killed < kills; killed++) {
    const running = await startServer(home)
    server = running
    let asked = 0
    const client = async (): Promise<void> => {
      for (;;) {
        const id = ids[asked++ % ids.length] ?? ""
        const answer = await fetch(`${running.url}${links.open(id)}`).catch(() => undefined)
        if (answer === undefined) return
        answered.set(id, (answered.get(id) ?? 0) + 1)
        if (asked === 200 + killed * 50) void running.kill()
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    await running.kill()
  }
  expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills * 100)

  server = await startServer(home)
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const uncounted = db.query(
    "SELECT 1 FROM signal WHERE name = 'email.hit' AND seq > (SELECT seq FROM cursor WHERE subscriber = 'emails.hits')",
  )
  while (uncounted.get() !== null) await Bun.sleep(20)
  const opens = new Map(
    (db.query("SELECT id, opens FROM email").all() as { id: string; opens: number }[]).map((row) => [
      row.id,
      row.opens,
    ]),
  )
  db.close()
  expect([...answered].filter(([id, count]) => (opens.get(id) ?? 0) < count)).toEqual([])
})

import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { bytesOfId, idOfBytes } from "../../src/kernel/ids.ts"
import { createLinks } from "../../src/mail/links.ts"
import { linkKey } from "../../src/mail/tracking.ts"
import { openSecret } from "../../src/store/secret.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let server: RunningMailstead | undefined
afterEach(() => server?.kill())

const clients = 16
const kills = 5

const target = "https://acme.test/one"

/** Sends one mail to `count` contacts; the link in it is stored as if the mails had left, where none has before the kill. */
async function sendMails(home: string, count: number): Promise<{ projectId: string; ids: string[] }> {
  const { config } = loadConfig({ options: { data: home } })
  const { id: projectId, secret } = await withModules(config, async ({ projects, domains }) => {
    const project = await projects.create("Acme")
    await domains.add(project.id, "acme.test", { vouched: true })
    return project
  })
  server = await startServer(home)
  const to = Array.from({ length: count }, (_, n) => `p${n}@example.com`)
  const response = await fetch(`${server.url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to, from: "hi@acme.test", subject: "Hi", body: `<a href="${target}">Hi</a>` }),
  })
  const { data } = (await response.json()) as { data: { emails: { email: string }[] } }
  await server.kill()
  const db = new Database(join(home, "mailstead.db"))
  const columns = "hash, project_id, url, created_at, used_at"
  db.run(`INSERT OR IGNORE INTO link (${columns}) VALUES (?, ?, ?, ?, ?)`, [
    linkKey(projectId, target),
    bytesOfId(projectId),
    target,
    0,
    0,
  ])
  db.close()
  return { projectId, ids: data.emails.map(({ email }) => email) }
}

/** How often each mail was opened or clicked, by what was answered. */
type Hits = Map<string, number>

const add = (hits: Hits, id: string): unknown => hits.set(id, (hits.get(id) ?? 0) + 1)
const total = (hits: Hits): number => [...hits.values()].reduce((sum, count) => sum + count, 0)

test("an open and a click that were answered are counted, despite a kill at any time", async () => {
  const home = folder()
  const { projectId, ids } = await sendMails(home, 100)
  const links = createLinks(() => "", openSecret(home))
  const link = linkKey(projectId, target)
  const [opened, clicked]: [Hits, Hits] = [new Map(), new Map()]
  for (let killed = 0; killed < kills; killed++) {
    const running = await startServer(home)
    server = running
    let asked = 0
    const client = async (): Promise<void> => {
      for (;;) {
        const at = asked++
        const id = ids[(at >> 1) % ids.length] ?? ""
        const isClick = at % 2 === 1
        const path = isClick ? links.click(id, link) : links.open(id)
        const answer = await fetch(`${running.url}${path}`, { redirect: "manual" }).catch(() => undefined)
        if (answer === undefined) return
        expect(answer.status).toBe(isClick ? 302 : 200)
        add(isClick ? clicked : opened, id)
        if (at === 200 + killed * 50) void running.kill()
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    await running.kill()
  }
  for (const hits of [opened, clicked]) expect(total(hits)).toBeGreaterThan(kills * 50)

  server = await startServer(home)
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const rows = db
    .query<{ id: Uint8Array; opens: number; clicks: number }, []>("SELECT id, opens, clicks FROM email")
    .all()
    .map(({ id, ...counts }) => ({ id: idOfBytes(id), ...counts }))
  db.close()
  const short = rows.filter(({ id, opens, clicks }) => opens < (opened.get(id) ?? 0) || clicks < (clicked.get(id) ?? 0))
  expect(short).toEqual([])
  expect(rows).toHaveLength(ids.length)
})

import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let server: RunningMailstead | undefined
afterEach(() => server?.kill())

const kills = 3
const clients = 8

/** Every count above 0, as text. */
function countsIn(home: string): string[] {
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const rows = [
    ...db.query("SELECT 'hour', * FROM activity_tally WHERE count <> 0").values(),
    ...db.query("SELECT 'name', * FROM event_day WHERE count <> 0").values(),
    ...db.query("SELECT 'domain', * FROM domain_day WHERE sent <> 0").values(),
  ]
  db.close()
  return rows.map((row) => row.join(" ")).sort()
}

test("after kills during events and mails, the counts are those of a recount", async () => {
  const home = folder()
  const { config } = loadConfig({ options: { data: home } })
  const project = await withModules(config, async ({ projects, domains }) => {
    const made = await projects.create("Acme")
    await domains.add(made.id, "acme.test", { vouched: true })
    return made
  })
  let answered = 0
  for (let killed = 0; killed < kills; killed++) {
    const running = await startServer(home)
    server = running
    let asked = 0
    const post = (path: string, key: string, body: object) =>
      fetch(running.url + path, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => undefined)
    const client = async (): Promise<void> => {
      for (;;) {
        const at = asked++
        const email = `p${at}@d${at % 5}.example`
        const mail = { to: email, from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
        const answer = await (at % 2 === 0
          ? post("/v1/send", project.secret, mail)
          : post("/v1/track", project.publicKey, { email, event: `event${at % 3}` }))
        if (answer === undefined) return
        if (answer.ok) answered += 1
        if (asked === 150 + killed * 50) void running.kill()
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    await running.kill()
  }
  expect(answered).toBeGreaterThan(kills * 100)

  const counts = countsIn(home)
  expect(counts.length).toBeGreaterThan(5)
  await withModules(config, ({ analytics }) => analytics.rebuild())
  expect(countsIn(home)).toEqual(counts)
})

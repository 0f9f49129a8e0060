import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const clients = 16
const enough = 300

test("a restart under load keeps what was acknowledged, cuts no response off and ends with exit code 0", async () => {
  const home = folder()
  const { config } = loadConfig({ options: { data: home } })
  const project = await withModules(config, ({ projects }) => projects.create("Acme"))
  const server = await startServer(home, { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0" })
  const acknowledged: string[] = []
  const cutOff: string[] = []
  let stopped: Promise<number> | undefined
  let begun = 0

  async function client(): Promise<void> {
    for (;;) {
      const email = `p${begun++}@example.com`
      const response = await fetch(`${server.url}/v1/track`, {
        method: "POST",
        headers: { Authorization: `Bearer ${project.publicKey}`, "Content-Type": "application/json" },
        body: JSON.stringify({ email, event: "visit" }),
      }).catch(() => undefined)
      // Connections are refused once it does not accept any more.
      if (response === undefined) return
      const text = await response.text().catch(() => cutOff.push(email))
      if (response.status !== 200 || typeof text !== "string" || !text.endsWith("}")) cutOff.push(email)
      acknowledged.push(email)
      if (acknowledged.length === enough) stopped = server.stop()
    }
  }

  await Promise.all(Array.from({ length: clients }, client))
  expect(await stopped).toBe(0)
  expect(cutOff).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(enough)
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const stored = new Set(
    db
      .query<{ email: string }, []>("SELECT email FROM contact")
      .all()
      .map(({ email }) => email),
  )
  db.close()
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([])
})

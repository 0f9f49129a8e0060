import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { formWith } from "../harness/imports.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { onPlan } from "../harness/segments.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
let home: string
const count = 20_000
const settings = { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0", MAILSTEAD_SEGMENTS_COMPUTE_SECONDS: "1" }
let secret: string
let server: RunningMailstead

beforeEach(async () => {
  home = folder()
  const { config } = loadConfig({ options: { data: home } })
  secret = (await withModules(config, ({ projects }) => projects.create("Acme"))).secret
  server = await startServer(home, settings)
})
afterEach(() => server.kill())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function call(method: string, path: string, body?: object): Promise<any> {
  const isForm = body instanceof FormData
  const headers = { Authorization: `Bearer ${secret}`, ...(isForm ? {} : { "Content-Type": "application/json" }) }
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  return (await fetch(`${server.url}${path}`, { method, headers, ...sent })).json()
}

const inStore = (query: string): number => {
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const [row] = db.query(query).values()
  db.close()
  return Number(row?.[0])
}

const entries = () => inStore("SELECT count(*) FROM event WHERE name LIKE 'segment.%.entry'")
const joined = () => inStore("SELECT count(*) FROM segment_member")

/** Imports contacts with a plan each, and waits for the end of that. */
async function importPlans(rows: readonly string[]): Promise<void> {
  const { jobId } = await call("POST", "/contacts/import", formWith(`email,plan\n${rows.join("\n")}\n`))
  await until(async () => (await call("GET", `/contacts/import/${jobId}`)).status === "completed")
}

/** Kills and restarts the server while so many contacts join; resolves to the number that has joined at each kill. */
async function throughKills(all: number): Promise<number[]> {
  const stages: number[] = []
  for (let kills = 0; kills < 4; kills++) {
    // Where this process gets its turn late, more have joined by then, perhaps all.
    const enough = Math.min(all, joined() + all / 10)
    await until(() => joined() >= enough)
    await server.kill()
    stages.push(joined())
    expect(entries()).toBe(joined())
    server = await startServer(home, settings)
  }
  return stages
}

test("a recompute that is killed repeatedly records every join once", async () => {
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example.com,${n % 2 === 0 ? "pro" : "free"}`)
  await importPlans(rows)
  const { id } = await call("POST", "/segments", { name: "Pros", condition: onPlan("pro"), trackMembership: true })
  const stages = await throughKills(count / 2)
  expect(stages.filter((at) => at < count / 2).length).toBeGreaterThanOrEqual(2)
  await until(() => joined() === count / 2)
  expect(await call("POST", `/segments/${id}/compute`)).toEqual({ added: 0, removed: 0, total: count / 2 })
  expect(inStore("SELECT count(DISTINCT contact_id) FROM event WHERE name = 'segment.pros.entry'")).toBe(count / 2)
  expect(entries()).toBe(count / 2)
})

test("reactions interrupted by a kill run afterwards, each once", async () => {
  const rows = (plan: string) => Array.from({ length: 4_000 }, (_, n) => `reader${n}@example.com,${plan}`)
  await importPlans(rows("free"))
  const { id } = await call("POST", "/segments", { name: "Gold", condition: onPlan("gold"), trackMembership: true })
  const gold = () => inStore(`SELECT count(*) FROM segment_member WHERE segment_id = x'${id.replaceAll("-", "")}'`)
  const told = () => inStore("SELECT count(*) FROM event WHERE name = 'segment.gold.entry'")
  await call("POST", "/contacts/import", formWith(`email,plan\n${rows("gold").join("\n")}\n`))
  for (const mark of [1, 1_500]) {
    await until(() => gold() >= mark)
    await server.kill()
    expect(told()).toBe(gold())
    server = await startServer(home, settings)
  }
  await until(() => gold() === 4_000)
  expect(told()).toBe(4_000)
})

import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { formWith } from "../harness/imports.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { onPlan } from "../harness/segments.ts"
import { scratch } from "../harness/store.ts"

const home = scratch()()
const count = 20_000
const settings = { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0", MAILSTEAD_SEGMENTS_COMPUTE_SECONDS: "1" }
let secret: string
let server: RunningMailstead

beforeAll(async () => {
  const { config } = loadConfig({ options: { data: home } })
  secret = (await withModules(config, ({ projects }) => projects.create("Acme"))).secret
  server = await startServer(home, settings)
})
afterAll(() => server.kill())

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

async function waitUntil(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`It never came about: ${holds}`)
    await Bun.sleep(1)
  }
}

/** Kills and restarts the server at each of these numbers of joins; resolves to the number at each kill. */
async function throughKills(marks: readonly number[]): Promise<number[]> {
  const stages: number[] = []
  for (const mark of marks) {
    await waitUntil(() => joined() >= mark)
    await server.kill()
    stages.push(joined())
    expect(entries()).toBe(joined())
    server = await startServer(home, settings)
  }
  return stages
}

test("a recompute that is killed repeatedly records every join once", async () => {
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example.com,${n % 2 === 0 ? "pro" : "free"}`)
  const { jobId } = await call("POST", "/contacts/import", formWith(`email,plan\n${rows.join("\n")}\n`))
  while ((await call("GET", `/contacts/import/${jobId}`)).status !== "completed") await Bun.sleep(10)
  const { id } = await call("POST", "/segments", { name: "Pros", condition: onPlan("pro"), trackMembership: true })
  const stages = await throughKills([1, 3_000, 6_000])
  expect(stages.filter((at) => at < count / 2).length).toBeGreaterThanOrEqual(2)
  await waitUntil(() => joined() === count / 2)
  expect(await call("POST", `/segments/${id}/compute`)).toEqual({ added: 0, removed: 0, total: count / 2 })
  expect(inStore("SELECT count(DISTINCT contact_id) FROM event WHERE name = 'segment.pros.entry'")).toBe(count / 2)
  expect(entries()).toBe(count / 2)
})

test("reactions interrupted by a kill run afterwards, each once", async () => {
  const { id } = await call("POST", "/segments", { name: "Gold", condition: onPlan("gold"), trackMembership: true })
  const gold = () => inStore(`SELECT count(*) FROM segment_member WHERE segment_id = x'${id.replaceAll("-", "")}'`)
  const told = () => inStore("SELECT count(*) FROM event WHERE name = 'segment.gold.entry'")
  const rows = Array.from({ length: 4_000 }, (_, n) => `reader${n}@example.com,gold`)
  await call("POST", "/contacts/import", formWith(`email,plan\n${rows.join("\n")}\n`))
  for (const mark of [1, 1_500]) {
    await waitUntil(() => gold() >= mark)
    await server.kill()
    expect(told()).toBe(gold())
    server = await startServer(home, settings)
  }
  await waitUntil(() => gold() === 4_000)
  expect(told()).toBe(4_000)
})

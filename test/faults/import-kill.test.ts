import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { formWith } from "../harness/imports.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let home: string
const count = 30_000
let secret: string
let server: RunningMailstead

const settings = { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0" }

beforeEach(async () => {
  home = folder()
  const { config } = loadConfig({ options: { data: home } })
  secret = (await withModules(config, ({ projects }) => projects.create("Acme"))).secret
  server = await startServer(home, settings)
})
afterEach(() => server.kill())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function call(method: string, path: string, body?: FormData | string): Promise<any> {
  const headers = { Authorization: `Bearer ${secret}`, ...(typeof body === "string" ? json : {}) }
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  return response.json()
}
const json = { "Content-Type": "application/json" }

/** Starts an import of these rows; resolves to the path of its job. */
async function startImport(rows: readonly string[]): Promise<string> {
  const { jobId } = await call("POST", "/contacts/import", formWith(`email,n\n${rows.join("\n")}\n`))
  return `/contacts/import/${jobId}`
}

/** Kills and restarts the server at each of these percentages of the job's progress; then waits for its end. */
async function throughKills(path: string, marks: readonly number[]) {
  const stages: number[] = []
  for (const mark of [...marks, 100]) {
    let job = await call("GET", path)
    while (job.progress < mark && job.status !== "failed") {
      await Bun.sleep(2)
      job = await call("GET", path)
    }
    if (mark === 100) return { job, stages }
    await server.kill()
    stages.push(job.progress)
    server = await startServer(home, settings)
  }
  throw new Error("There is always a last mark.")
}

const inStore = <T>(query: string): T[] => {
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const rows = db.query(query).all() as T[]
  db.close()
  return rows
}

test("an import that is killed repeatedly counts every row once", async () => {
  // Every tenth row has an invalid address, every sixth repeats the previous one.
  const rows = Array.from({ length: count }, (_, n) => {
    if (n % 10 === 9) return `nobody${n},${n}`
    return `reader${n % 6 === 5 ? n - 1 : n}@example.com,${n}`
  })
  const addresses = rows.filter((row) => row.includes("@")).map((row) => row.split(",")[0])
  const distinct = new Set(addresses).size
  const path = await startImport(rows)
  const { job, stages } = await throughKills(path, [1, 9, 17, 25, 33, 41, 49, 57, 65, 73, 81, 89])
  expect(stages.filter((progress) => progress > 0 && progress < 100).length).toBeGreaterThanOrEqual(5)
  expect(job).toMatchObject({ status: "completed", totalRows: count })
  expect([job.imported, job.updated, job.skipped]).toEqual([distinct, addresses.length - distinct, count / 10])
  expect(job.errors.map((error: { row: number }) => error.row)).toEqual(
    Array.from({ length: 1_000 }, (_, n) => 10 * n + 11),
  )
  expect(inStore("SELECT count(*) AS n, count(DISTINCT email) AS emails FROM contact")).toEqual([
    { n: distinct, emails: distinct },
  ])
  expect(inStore("SELECT contact_count AS n FROM field WHERE key = 'n'")).toEqual([{ n: distinct }])
  expect(readdirSync(join(home, "imports"))).toEqual([])
})

test("a bulk job that is killed repeatedly changes every contact once", async () => {
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example.com,${n}`)
  await throughKills(await startImport(rows), [])
  const body = JSON.stringify({ mode: "query", filter: { subscribed: true } })
  const { jobId } = await call("POST", "/contacts/bulk-unsubscribe", body)
  const { job, stages } = await throughKills(`/contacts/bulk/${jobId}`, [1, 30, 60])
  const [contacts] = inStore<{ n: number; subscribed: number }>(
    "SELECT count(*) AS n, sum(subscribed) AS subscribed FROM contact",
  )
  expect(stages.filter((progress) => progress > 0 && progress < 100).length).toBeGreaterThanOrEqual(2)
  expect(job).toMatchObject({ status: "completed", succeeded: contacts?.n ?? 0, failed: 0 })
  expect(contacts?.subscribed).toBe(0)
  expect(
    inStore("SELECT name, count(*) AS n, count(DISTINCT contact_id) AS contacts FROM event GROUP BY name"),
  ).toEqual([{ name: "contact.unsubscribed", n: contacts?.n ?? 0, contacts: contacts?.n ?? 0 }])
})

import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const day = 86_400_000
const mails = 6_000
const requests = 6_000
const recent = 50
let home: string
let server: RunningMailstead

const settings = { MAILSTEAD_RETENTION_SWEEP_SECONDS: "1", MAILSTEAD_RETENTION_CONTENT_DAYS: "30" }

function inStore<T>(work: (db: Database) => T): T {
  const db = new Database(join(home, "mailstead.db"), { readwrite: true })
  db.run("PRAGMA busy_timeout = 5000")
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** The number that a query gives. */
const numberOf = (query: string): number =>
  inStore((db) => Number(Object.values(db.query<Record<string, number>, []>(query).get() ?? {})[0]))
const freed = (name: string, what = "rows"): number =>
  numberOf(`SELECT coalesce(sum(${what}), 0) FROM freed WHERE name = '${name}'`)

/** Old mail, of which two always share a content, a log of old requests, and some of both from today. */
function fill(projectId: string): void {
  inStore((db) => {
    const now = Date.now()
    const content = db.prepare(
      "INSERT INTO content (project_id, hash, subject, body, literal, headers, attachments, created_at, used_at) VALUES (?, ?, 'Hi', ?, 0, '{}', '[]', ?, ?)",
    )
    const mail = db.prepare(
      `INSERT INTO email (id, project_id, content_hash, variables, locale, to_address, from_address, subject, type,
         source_type, status, message_id, lane, due_at, created_at, updated_at)
       VALUES (?, ?, ?, '{"name":"Ada"}', 'en', 'ada@example.com', 'hi@acme.test', 'Hi', 'TRANSACTIONAL',
         'TRANSACTIONAL', 'DELIVERED', ?, 0, ?, ?, ?)`,
    )
    const request = db.prepare(
      "INSERT INTO request (project_id, at, method, route, status, duration, key) VALUES (?, ?, 'GET', '/x', 200, 1, 'secret')",
    )
    const add = (n: number, at: number) => {
      const hash = `hash${n >> 1}-${at}`
      if (n % 2 === 0) content.run(bytesOfId(projectId), hash, `<p>${"Hello {{name}} ".repeat(200)}</p>`, at, at)
      const id = Bun.randomUUIDv7("hex", at + n)
      mail.run(bytesOfId(id), bytesOfId(projectId), hash, `${id}@acme.test`, at, at, at)
    }
    db.transaction(() => {
      for (let n = 0; n < mails; n++) add(n, now - 100 * day)
      for (let n = 0; n < recent; n++) add(n, now)
      for (let n = 0; n < requests; n++) request.run(bytesOfId(projectId), now - 100 * day)
      for (let n = 0; n < recent; n++) request.run(bytesOfId(projectId), now)
    })()
  })
}

beforeEach(async () => {
  home = folder()
  const { config } = loadConfig({ options: { data: home } })
  const { id } = await withModules(config, ({ projects }) => projects.create("Acme"))
  fill(id)
})
afterEach(() => server.kill())

test("a sweep that is killed goes on at the next start, and counts every row once", async () => {
  const done = () => freed("request log") + freed("content")
  // Each content and each mail counts.
  const all = requests + mails + mails / 2
  const stages: number[] = []
  for (let kills = 0; kills < 6; kills++) {
    const before = done()
    server = await startServer(home, settings)
    // Where this process gets its turn late, more is done by then, perhaps everything.
    while (done() < all && done() - before < all / 16) await Bun.sleep(2)
    await server.kill()
    stages.push(done())
    const left = numberOf("SELECT count(*) FROM email WHERE content_hash > '' AND variables IS NOT NULL")
    const gone = numberOf("SELECT count(*) FROM email WHERE content_hash = '' AND variables IS NULL")
    expect(left + gone).toBe(mails + recent)
  }
  expect(stages.filter((stage) => stage > 0 && stage < all).length).toBeGreaterThanOrEqual(2)
  server = await startServer(home, settings)
  while (done() < all || numberOf("PRAGMA freelist_count") > 0) await Bun.sleep(20)
  await server.kill()
  expect([freed("request log"), freed("content")]).toEqual([requests, mails + mails / 2])
  expect(numberOf("SELECT count(*) FROM email WHERE content_hash > ''")).toBe(recent)
  expect(numberOf("SELECT count(*) FROM content")).toBe(recent / 2)
  expect(numberOf("SELECT count(*) FROM request")).toBe(recent)
  expect(freed("disk", "bytes")).toBeGreaterThan(5_000_000)
  expect(inStore((db) => db.query("PRAGMA integrity_check").get())).toEqual({ integrity_check: "ok" })
})

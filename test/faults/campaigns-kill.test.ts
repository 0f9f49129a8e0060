import { Database, type SQLQueryBindings } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { placesOf } from "../../src/commands/service/places.ts"
import { unitText } from "../../src/commands/service/unit.ts"
import { loadConfig } from "../../src/config.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { news } from "../harness/campaigns.ts"
import { type RunningMailstead, startMailstead, startServer } from "../harness/mailstead.ts"
import { childrenOf } from "../harness/processes.ts"
import { scratch, until } from "../harness/store.ts"
import { type Sink, startSink } from "./torture/sink.ts"

const folder = scratch()
let home: string
let secret: string
let projectId: string
let server: RunningMailstead
let sink: Sink
let settings: Record<string, string>

beforeEach(async () => {
  home = folder()
  sink = await startSink()
  settings = {
    MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0",
    MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "0",
    MAILSTEAD_MAIL_URL: `smtp://127.0.0.1:${sink.port}?tls=off&pool=8`,
  }
  const { config } = loadConfig({ options: { data: home } })
  const project = await withModules(config, async ({ projects, domains }) => {
    const created = await projects.create("Acme")
    await domains.add(created.id, "acme.test", { vouched: true })
    return created
  })
  secret = project.secret
  projectId = project.id
})
afterEach(async () => {
  await server.kill()
  await sink.stop()
})

/** Subscribed contacts r0@example.com and on, straight into the table. */
function seed(count: number): void {
  const db = new Database(join(home, "mailstead.db"))
  const insert = db.prepare(
    "INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, ?)",
  )
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const at = 1_700_000_000_000 + n
      const data = JSON.stringify({ first: `R${n}` })
      insert.run(bytesOfId(Bun.randomUUIDv7("hex", at)), bytesOfId(projectId), `r${n}@example.com`, data, at, at)
    }
  })()
  db.close()
}

const start = async (): Promise<void> => {
  server = await startServer(home, settings)
}

// biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
async function call(method: string, path: string, body: object = {}): Promise<any> {
  const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" }
  const payload = method === "GET" ? {} : { body: JSON.stringify(body) }
  return (await (await fetch(`${server.url}${path}`, { method, headers, ...payload })).json()).data
}

const startCampaign = async (scheduledFor?: string): Promise<string> => {
  const { id } = await call("POST", "/campaigns", news)
  await call("POST", `/campaigns/${id}/send`, scheduledFor ? { scheduledFor } : {})
  return id
}

const inStore = <T>(query: string, ...params: SQLQueryBindings[]): T[] => {
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const rows = db.query(query).all(...params) as T[]
  db.close()
  return rows
}

const mailed = (id: string) =>
  inStore<{ mails: number; contacts: number; open: number }>(
    `SELECT count(*) AS mails, count(DISTINCT contact_id) AS contacts,
      coalesce(sum(status IN ('PENDING', 'SENDING')), 0) AS open FROM email WHERE campaign_id = ?`,
    bytesOfId(id),
  )[0] ?? { mails: 0, contacts: 0, open: 0 }

const madeSoFar = (id: string): number =>
  inStore<{ created: number }>("SELECT created FROM campaign_tally WHERE campaign_id = ?", bytesOfId(id))[0]?.created ??
  0

test("a walk that is killed repeatedly makes exactly one mail for each contact", async () => {
  const count = 30_000
  seed(count)
  // Few mails are sent, so that the kills hit the walk.
  settings.MAILSTEAD_LIMITS_EMAILS_PER_SECOND = "1"
  await start()
  const id = await startCampaign()
  const stages: number[] = []
  for (let kills = 0; kills < 5; kills++) {
    // Where this process gets its turn late, more are made by then, perhaps all.
    const before = madeSoFar(id)
    await until(() => madeSoFar(id) >= Math.min(count, before + count / 16))
    await server.kill()
    stages.push(mailed(id).mails)
    await start()
  }
  await until(() => inStore("SELECT 1 FROM campaign_walk").length === 0)
  expect(stages.filter((mails) => mails > 0 && mails < count).length).toBeGreaterThanOrEqual(2)
  expect(mailed(id)).toMatchObject({ mails: count, contacts: count })
  expect((await call("GET", `/campaigns/${id}`)).totalRecipients).toBe(count)
})

test("a campaign that is killed while being sent reaches every contact once, except those in flight at a kill", async () => {
  const count = 1_500
  seed(count)
  await start()
  const id = await startCampaign()
  for (const mark of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    await until(() => sink.arrivals.size >= mark * count)
    await server.kill()
    await start()
  }
  await until(async () => (await call("GET", `/campaigns/${id}`)).status === "SENT")
  const campaign = await call("GET", `/campaigns/${id}`)
  expect(mailed(id)).toEqual({ mails: count, contacts: count, open: 0 })
  expect([...sink.arrivals.values()].filter((messages) => messages.length > 1)).toEqual([])
  const failed = inStore<{ to: string; error: string }>(
    "SELECT to_address AS 'to', error FROM email WHERE status = 'FAILED'",
  )
  expect(new Set(failed.map(({ error }) => error))).toEqual(
    failed.length > 0 ? new Set(["outcome_unknown"]) : new Set(),
  )
  // Mails whose hand-over had not begun are tried again.
  expect(failed.filter(({ to }) => !sink.opened.has(to))).toEqual([])
  // No more than the connections there are, at each kill.
  expect(failed.length).toBeLessThanOrEqual(5 * 8)
  expect(campaign).toMatchObject({
    totalRecipients: count,
    sentCount: count - failed.length,
    failedCount: failed.length,
  })
  const missing = inStore<{ to: string }>("SELECT email AS 'to' FROM contact").filter(
    ({ to }) => !sink.arrivals.has(to),
  )
  expect(missing.filter(({ to }) => !failed.some((one) => one.to === to))).toEqual([])
})

test("with the /proc that the unit of systemd gives it, a killed server leaves unknown only what was on a connection (contract B1.6.6)", async () => {
  seed(200)
  settings.MAILSTEAD_MAIL_URL = `smtp://127.0.0.1:${sink.port}?tls=off&pool=1`
  const isBlind = /^ProcSubset=pid$/m.test(unitText(placesOf({}, true)))
  const startAsService = async () => {
    const proc = `hidepid=invisible${isBlind ? ",subset=pid" : ""}`
    server = await startMailstead(["serve", "--port", "0", "--data", home], { env: settings, proc })
  }
  await startAsService()
  const id = await startCampaign()
  await until(() => sink.arrivals.size >= 20)
  for (const pid of childrenOf(server.pid)) {
    process.kill(pid, "SIGKILL")
    await until(() => !existsSync(`/proc/${pid}`))
  }
  await server.kill()
  await startAsService()
  await until(() => mailed(id).open === 0)
  expect((await call("GET", `/campaigns/${id}`)).failedCount).toBeLessThanOrEqual(1)
})

test("a campaign scheduled for a time when the server is down begins at its next start", async () => {
  seed(20)
  await start()
  // Late enough for a slow machine to have it scheduled and the server killed by then.
  const at = Date.now() + 5_000
  const id = await startCampaign(new Date(at).toISOString())
  await server.kill()
  await until(() => Date.now() > at)
  await start()
  await until(async () => (await call("GET", `/campaigns/${id}`)).status === "SENT")
  expect(sink.arrivals.size).toBe(20)
  expect([...sink.arrivals.values()].every((messages) => messages.length === 1)).toBe(true)
})

test("a cancellation survives a kill right after its response", async () => {
  const count = 10_000
  seed(count)
  settings.MAILSTEAD_LIMITS_EMAILS_PER_SECOND = "1"
  await start()
  const id = await startCampaign()
  await until(() => inStore("SELECT 1 FROM campaign_walk").length === 0)
  expect((await call("POST", `/campaigns/${id}/cancel`)).status).toBe("CANCELLED")
  await server.kill()
  const arrived = sink.arrivals.size
  delete settings.MAILSTEAD_LIMITS_EMAILS_PER_SECOND
  await start()
  await until(() => mailed(id).open === 0)
  const campaign = await call("GET", `/campaigns/${id}`)
  expect(campaign).toMatchObject({ status: "CANCELLED", totalRecipients: count })
  expect(campaign.cancelledCount + campaign.sentCount + campaign.failedCount).toBe(count)
  expect(sink.arrivals.size).toBe(arrived)
})

import { Database } from "bun:sqlite"
import { join } from "node:path"
import { connections, delivered, poolAlone, startSink } from "./delivery.ts"
import { inside } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { tenKilobytes } from "./tools/seed-mail.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const sizes = [10_000, 100_000, 1_000_000]
const deliveries = 20_000
const by = "one campaign"

/**
 * Campaigns to audiences of growing size, each contact with ten custom fields, and the delivery of one to smtp-sink.
 */
export async function campaigns(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) figures.push(...(await enqueuing(size)))
  return [...figures, await delivery()]
}

/** Readers with ten custom fields each, straight into the table of a server that is not running. */
function seedReaders(folder: string, projectId: string, count: number): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  const insert = db.prepare(
    `INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, ?)`,
  )
  db.run("PRAGMA synchronous = OFF")
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const at = 1_700_000_000_000 + n
      insert.run(Bun.randomUUIDv7("hex", at), projectId, `reader${n}@example.com`, dataOf(n), at, at)
    }
  })()
  // The search index is not measured here.
  db.run("UPDATE contact_search_mark SET seq = 1000000000000")
  db.close()
}

const dataOf = (n: number): string =>
  JSON.stringify({
    name: `Reader ${n}`,
    plan: n % 10 === 0 ? "pro" : "free",
    city: "Oslo",
    score: n % 1_000,
    vip: n % 3 === 0,
    company: `Company ${n % 5_000}`,
    role: "owner",
    seen: "2026-01-31T09:15:00Z",
    profile: { tier: "gold", since: 2_020 },
    source: `campaign-${n % 50}`,
  })

async function startCampaign({ url, project }: Instance): Promise<string> {
  const headers = { Authorization: `Bearer ${project.secret}`, "Content-Type": "application/json" }
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string } }).data
  }
  const subject = "News for {{name ?? you}}"
  const content = { name: "News", subject, body: tenKilobytes, from: "news@acme.test", audienceType: "ALL" }
  const { id } = await post("/campaigns", content)
  await post(`/campaigns/${id}/send`, {})
  return id
}

const isWalked = ({ folder }: Instance): boolean =>
  inside(folder, (db) => db.query("SELECT 1 FROM campaign_walk").get()) === null

/** Measures the time until all mails are in the ledger; almost none is sent meanwhile. */
async function enqueuing(size: number): Promise<Figure[]> {
  const instance = await startInstance({ MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "1" }, (folder, projectId) =>
    seedReaders(folder, projectId, size),
  )
  const name = (what: string) => `${what}, ${size.toLocaleString("en")} recipients`
  try {
    const started = performance.now()
    await startCampaign(instance)
    let memory = 0
    while (!isWalked(instance)) {
      memory = Math.max(memory, instance.memory())
      await Bun.sleep(50)
    }
    const ms = performance.now() - started
    const figures = [
      below(name("enqueuing a campaign"), ms, "ms", 60_000, by),
      below(name("resident memory meanwhile"), memory, "MB", 350, by),
    ]
    return size < 1_000_000 ? figures : [...figures, await trackMeanwhile(instance)]
  } finally {
    await instance.end()
  }
}

/** The latency of `/v1/track` while the mails of another campaign are made. */
async function trackMeanwhile(instance: Instance): Promise<Figure> {
  await startCampaign(instance)
  const { p99Ms } = await wrk({
    url: instance.url,
    path: "/v1/track",
    key: instance.project.publicKey,
    body: `'{"email":"during' .. n .. '@example.org","event":"signed_in","data":{"plan":"free"}}'`,
    connections: 8,
    seconds: 4,
  })
  return below(`track p99 meanwhile${isWalked(instance) ? " (ended early)" : ""}`, p99Ms, "ms", 50, "wrk")
}

/** Mails a second of a campaign, from the request to send to the last hand-over, against nodemailer's pool alone. */
async function delivery(): Promise<Figure> {
  const sink = await startSink()
  const bare = await poolAlone(sink.port)
  const url = `smtp://127.0.0.1:${sink.port}?tls=off&pool=${connections}`
  const instance = await startInstance({ MAILSTEAD_MAIL_URL: url }, (folder, projectId) =>
    seedReaders(folder, projectId, deliveries),
  )
  try {
    const started = performance.now()
    await startCampaign(instance)
    while (!isWalked(instance)) await Bun.sleep(10)
    await delivered(instance)
    const perSecond = deliveries / ((performance.now() - started) / 1_000)
    const what = `a campaign of ${deliveries.toLocaleString("en")} x 10 KB, ${connections} connections`
    return ratioOf(what, perSecond, bare, 0.8, "smtp-sink")
  } finally {
    await instance.end()
    await sink.stop()
  }
}

import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { bytesOfId, idOfBytes } from "../../src/kernel/ids.ts"
import { inside, millionContacts } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const sizes = [10_000, 100_000, 1_000_000]
const requests = 100
const by = "fetch, one at a time"
const [hour, day] = [3_600_000, 86_400_000]
/** The mails and events are spread evenly over this time before now. */
const spanMs = 60 * day

/** The feed and the figures of a project with many mails, and three times as many events. */
export async function activity(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) figures.push(...(await measure(size)))
  return figures
}

async function measure(mails: number): Promise<Figure[]> {
  const instance = await startInstance({}, (folder, projectId) => fill(folder, projectId, mails))
  const what = (name: string) =>
    `${name}, ${mails.toLocaleString("en")} mails, ${(mails * 3).toLocaleString("en")} events`
  const figures: Figure[] = []
  const add = async (name: string, path: string, mostMs: number) =>
    void figures.push(below(what(name), await timeOf(instance, path), "ms", mostMs, by))

  await add("activity, first page with total", "/activity?limit=100", 30)
  await add("activity, filtered page with total", "/activity?limit=100&types=email.bounced,event.triggered", 30)
  const deep = await pageAt(instance, 1_000)
  await add(`activity, page ${deep.page.toLocaleString("en")}`, `/activity?limit=100&cursor=${deep.cursor}`, 30)
  const contact = inside(
    instance.folder,
    (db) => db.query("SELECT id FROM contact LIMIT 1").get() as { id: Uint8Array },
  )
  await add("activity of a contact", `/activity?contactId=${idOfBytes(contact.id)}`, 30)
  await add("activity, figures", "/activity/stats", 30)
  await add("activity, recent count", "/activity/recent-count?minutes=60", 30)
  const start = new Date(Date.now() - 89 * day).toISOString().slice(0, 10)
  for (const name of ["timeseries", "overview", "top-events", "top-campaigns", "campaign-stats", "domains"])
    await add(`analytics, ${name} of 90 days`, `/analytics/${name}?startDate=${start}`, 100)
  figures.push(below(what("track p99 while the feed is read"), await trackMeanwhile(instance), "ms", 50, "wrk"))
  await instance.end()
  return figures
}

/** Triggers are off while rows are inserted; the rebuild then counts them. */
async function fill(folder: string, projectId: string, mails: number): Promise<void> {
  const contacts = mails / 10
  millionContacts(folder, projectId, contacts)
  inside(folder, (db) => {
    db.run("UPDATE contact_search_mark SET seq = 1000000000000")
    const triggers = db.query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
      name: string
      sql: string
    }[]
    for (const { name } of triggers) db.run(`DROP TRIGGER "${name}"`)
    const ids = (db.query("SELECT id FROM contact ORDER BY seq").values() as [Uint8Array][]).map(([id]) => id)
    const mail = db.prepare(
      `INSERT INTO email (id, project_id, contact_id, locale, to_address, from_address, subject, type, source_type, status,
        message_id, lane, due_at, created_at, updated_at, sent_at, delivered_at, opened_at, clicked_at, bounced_at, opens)
       VALUES (?1, ?2, ?3, 'en', ?4, 'news@acme.test', 'News', 'MARKETING', 'TRANSACTIONAL', 'SENT',
        ?1, 2, ?5, ?5, ?5, ?5, ?6, ?7, ?8, ?9, 1)`,
    )
    const event = db.prepare(
      "INSERT INTO event (id, project_id, contact_id, email_id, name, data, created_at) VALUES (?, ?, ?, ?, ?, '{}', ?)",
    )
    const start = Date.now() - spanMs
    const project = bytesOfId(projectId)
    db.transaction(() => {
      for (let n = 0; n < mails; n++) {
        const at = start + Math.floor((n / mails) * spanMs)
        const id = Bun.randomUUIDv7("buffer", at)
        const contact = ids[(n * 7_919) % contacts] ?? null
        // A few domains have most of the mail, two thousand have the rest.
        const domain = n % 2 === 0 ? "gmail.com" : n % 3 === 0 ? "outlook.com" : `d${(n * 31) % 2_000}.example`
        const isBounced = n % 50 === 0
        const opened = !isBounced && n % 3 === 0 ? at + hour : null
        mail.run(
          ...[id, project, contact, `user${n}@${domain}`, at, isBounced ? null : at + 1_000],
          ...[opened, n % 12 === 0 ? opened : null, isBounced ? at + 2_000 : null],
        )
        for (const name of ["email.sent", "email.delivery", n % 5 === 0 ? `own ${n % 40}` : "email.open"])
          event.run(Bun.randomUUIDv7("buffer", at), project, contact, id, name, at)
      }
    })()
    for (const { sql } of triggers) db.run(sql)
    db.run("INSERT INTO event_tally SELECT project_id, name, count(*) FROM event GROUP BY 1, 2")
  })
  await withModules(loadConfig({ options: { data: folder } }).config, ({ analytics }) => analytics.rebuild())
}

async function get({ url, project }: Instance, path: string): Promise<{ cursor?: string }> {
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${project.secret}` } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return (await answer.json()) as { cursor?: string }
}

/** The cursor of a page, reached page by page; of the last one if there are fewer. */
async function pageAt(instance: Instance, wanted: number): Promise<{ page: number; cursor: string }> {
  let [page, cursor] = [1, ""]
  while (page < wanted) {
    const next = (await get(instance, `/activity?limit=100${cursor && `&cursor=${cursor}`}`)).cursor
    if (next === undefined) break
    cursor = next
    page++
  }
  return { page, cursor }
}

/** The median time of a request in ms. */
async function timeOf(instance: Instance, path: string): Promise<number> {
  const taken: number[] = []
  for (let at = 0; at < requests; at++) {
    const started = performance.now()
    await get(instance, path)
    taken.push(performance.now() - started)
  }
  return taken.sort((one, other) => one - other)[Math.floor(requests / 2)] ?? Number.NaN
}

/** The time of a track request, in ms at p99, while pages of the feed are read one after another. */
async function trackMeanwhile(instance: Instance): Promise<number> {
  let over = false
  const reading = (async () => {
    while (!over) await get(instance, "/activity?limit=100")
  })()
  const { p99Ms } = await wrk({
    url: instance.url,
    path: "/v1/track",
    key: instance.project.publicKey,
    body: `'{"email":"user' .. n % 1000 .. '@example.com","event":"login","data":{"amount":49}}'`,
    connections: 8,
    seconds: 4,
  })
  over = true
  await reading
  return p99Ms
}

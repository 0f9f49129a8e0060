import { Database, type SQLQueryBindings } from "bun:sqlite"
import { join } from "node:path"
import { createApp } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { nilId } from "../../src/kernel/ids.ts"
import { fillGap } from "../../src/modules/emails/search/store.ts"
import { growth, sizes, timeOf } from "./tools/growth.ts"
import { startInstance } from "./tools/instance.ts"
import { spreadOf } from "./tools/rounds.ts"
import { seedBulkMail } from "./tools/seed-mail.ts"
import type { Figure } from "./tools/table.ts"

const by = "fetch, one at a time"
/** Paths and the most ms that they may take with the most mails; # is a number that differs each time. */
const pages: Readonly<Record<string, readonly [path: string, most: number]>> = {
  "all mails": ["/emails", 3],
  "mails by status": ["/emails?status=SENT", 3],
  "a new search that one mail matches": ["/emails?search=user12#@", 30],
  "a new search that no mail matches": ["/emails?search=nobody#", 30],
  "a new search that few match": ["/emails?search=#%20is%20on%20its%20way", 30],
  "a search again that a third matches": ["/emails?search=on%20its%20way", 30],
  "a search again that all match": ["/emails?search=example", 30],
  "a search again for two characters": ["/emails?search=zq", 30],
}

/** The first pages of mails with growing numbers of them. */
export async function lists(): Promise<Figure[]> {
  const times = new Map<string, number[]>(Object.keys(pages).map((what) => [what, []]))
  for (const size of sizes) for (const [what, ms] of await measure(size)) times.get(what)?.push(ms)
  return Object.entries(pages).map(([what, [, most]]) =>
    growth(`first page of ${what}, ${largest} mails at the end`, times.get(what) ?? [], most, by),
  )
}

const largest = (sizes.at(-1) ?? 0).toLocaleString("en")

async function measure(size: number): Promise<[string, number][]> {
  const { url, project, end } = await startInstance({}, (folder, projectId) => seedSentMail(folder, projectId, size))
  let round = 10
  /** After a commit, because an answer is remembered until then. */
  const timeOfRead = async (times: number, path: string) => {
    const taken: number[] = []
    for (let at = 0; at < times; at++) {
      await write()
      const unlike = path.replace("#", String(round++))
      taken.push(await timeOf(1, () => read(unlike)))
    }
    return spreadOf(taken).median
  }
  const write = async () => {
    const body = JSON.stringify({ email: "ada@example.com", event: "seen" })
    const headers = { Authorization: `Bearer ${project.publicKey}`, "Content-Type": "application/json" }
    const answer = await fetch(`${url}/v1/track`, { method: "POST", headers, body })
    if (!answer.ok) throw new Error(`/v1/track answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const read = async (path: string) => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${project.secret}` } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  try {
    const found: [string, number][] = []
    for (const [what, [path]] of Object.entries(pages)) {
      await timeOfRead(3, path)
      found.push([what, await timeOfRead(9, path)])
    }
    return found
  } finally {
    await end()
  }
}

/** Copies of one mail with recipients of their own; a third has a subject of its own. */
async function seedSentMail(folder: string, projectId: string, count: number): Promise<void> {
  await seedBulkMail(folder, projectId, 1)
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  db.run("PRAGMA synchronous = OFF")
  db.run("UPDATE email SET status = 'SENT'")
  const first = db.query("SELECT * FROM email").get() as Record<string, SQLQueryBindings>
  const insert = db.prepare(`INSERT INTO email (${Object.keys(first)}) VALUES (${Object.keys(first).map(() => "?")})`)
  db.transaction(() => {
    for (let n = 1; n < count; n++) {
      const own = {
        id: Bun.randomUUIDv7("buffer", 1_700_000_000_000 + n),
        to_address: `user${n}@example.com`,
        subject: n % 3 === 0 ? `Order ${n} is on its way` : "News of this week",
        message_id: `${n}@acme.test`,
      }
      insert.run(...Object.values({ ...first, ...own }))
    }
  })()
  db.close()
  const { config } = loadConfig({ options: { data: folder } })
  const app = await createApp(config)
  // As the job does it, which comes every five minutes.
  for (let from: string | undefined = nilId; from !== undefined; ) {
    const after: string = from
    from = await app.store.write(projectId, (unit) => fillGap(unit, projectId, after))
  }
  await app.stop()
}

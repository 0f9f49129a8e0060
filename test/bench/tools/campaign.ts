import { Database } from "bun:sqlite"
import { join } from "node:path"
import { bytesOfId } from "../../../src/kernel/ids.ts"
import { inside } from "./contacts.ts"
import type { Instance } from "./instance.ts"
import { tenKilobytes } from "./seed-mail.ts"

/** Readers with ten custom fields each, straight into the table of a server that is not running. */
export function seedReaders(folder: string, projectId: string, count: number): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  const insert = db.prepare(
    `INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, ?)`,
  )
  db.run("PRAGMA synchronous = OFF")
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const at = 1_700_000_000_000 + n
      insert.run(Bun.randomUUIDv7("buffer", at), bytesOfId(projectId), `reader${n}@example.com`, dataOf(n), at, at)
    }
  })()
  // The search index is not measured here.
  db.run("UPDATE contact_search_mark SET seq = 1000000000000")
  db.close()
}

/** Mail of all projects leaves with its links as they are. The server is not running. */
export function stopTracking(folder: string): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  db.run("UPDATE project SET tracking = 'DISABLED'")
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

export async function startCampaign({ url, project }: Instance): Promise<string> {
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

/** Whether all mails of the campaigns are in the ledger. */
export const isWalked = ({ folder }: Instance): boolean =>
  inside(folder, (db) => db.query("SELECT 1 FROM campaign_walk").get()) === null

import { Database } from "bun:sqlite"
import { join } from "node:path"
import { bytesOfId } from "../../../src/kernel/ids.ts"

const plans = ["free", "starter", "team", "pro", "trial", "free", "free", "starter", "team", "free"]
const cities = ["Oslo", "Köln", "Paris", "Lima", "Pune"]
const hour = 3_600_000

/** The plan of one contact in ten. */
export const rarePlan = "pro"

/** Ten custom fields of every kind. */
const dataOf = (n: number, now: number): string =>
  JSON.stringify({
    plan: plans[n % 10],
    city: cities[n % 5],
    n,
    score: (n * 7919) % 1_000,
    vip: n % 3 === 0,
    company: `Company ${n % 5_000}`,
    role: n % 2 === 0 ? "owner" : "member",
    seen: new Date(now - (n % 2_000) * hour).toISOString(),
    profile: { tier: n % 4 === 0 ? "gold" : "basic", since: 2_015 + (n % 10) },
    source: `campaign-${n % 50}`,
  })

/** Contacts with ten custom fields each and three events, straight into the tables of a server that is not running. */
export function seedCrowd(folder: string, projectId: string, count: number): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  const now = Date.now()
  const contact = db.prepare(
    "INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  const event = db.prepare(
    "INSERT INTO event (id, project_id, contact_id, name, data, created_at) VALUES (?, ?, ?, ?, '{}', ?)",
  )
  db.run("PRAGMA synchronous = OFF")
  db.run("PRAGMA cache_size = -400000")
  const contactId = (n: number) => Bun.randomUUIDv7("buffer", now - 400 * 24 * hour + n * 30)
  db.transaction(() => {
    const ids: Uint8Array[] = []
    const project = bytesOfId(projectId)
    for (let n = 0; n < count; n++) {
      const at = now - 400 * 24 * hour + n * 30
      const id = contactId(n)
      ids.push(id)
      contact.run(id, project, `user${n}@example.com`, n % 20 === 0 ? 0 : 1, dataOf(n, now), at, at)
    }
    // In order of time; every third is a purchase.
    for (let n = 0; n < 3 * count; n++) {
      const at = now - 60 * 24 * hour + Math.floor((n / (3 * count)) * 60 * 24 * hour)
      const name = ["signed_in", "purchase", "viewed"][n % 3] ?? ""
      event.run(Bun.randomUUIDv7("buffer", at), project, ids[(n * 7) % count] ?? null, name, at)
    }
  })()
  // The search index is not measured here.
  db.run("UPDATE contact_search_mark SET seq = 1000000000000")
  db.close()
}

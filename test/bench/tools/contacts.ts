import { Database } from "bun:sqlite"
import { join } from "node:path"
import { bytesOfId } from "../../../src/kernel/ids.ts"
import type { Instance } from "./instance.ts"

/** Opens the database of a data folder, possibly beside a running server. */
export function inside<T>(folder: string, work: (db: Database) => T): T {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** The number of unindexed contacts that does not trigger indexing. */
const tolerated = 1_000

/** Waits until the search index has all contacts but a few. */
export async function indexed({ folder }: Instance): Promise<void> {
  const left = () =>
    inside(folder, (db) =>
      db.query("SELECT (SELECT max(seq) FROM contact) - seq AS n FROM contact_search_mark").get(),
    ) as { n: number }
  while (left().n > tolerated) await Bun.sleep(100)
}

/** A million contacts with the custom fields of the load, straight into the table. */
export function millionContacts(folder: string, projectId: string, count = 1_000_000): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  const insert = db.prepare(
    `INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at)
     VALUES (?, ?, ?, 1, '{"plan":"free","city":"Oslo"}', ?, ?)`,
  )
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const at = 1_700_000_000_000 + n
      insert.run(Bun.randomUUIDv7("buffer", at), bytesOfId(projectId), `user${n}@example.com`, at, at)
    }
  })()
  db.close()
}

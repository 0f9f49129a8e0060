import { Database } from "bun:sqlite"
import { join } from "node:path"
import { idOfBytes } from "../../src/kernel/ids.ts"
import { createLinks } from "../../src/mail/links.ts"
import { openSecret } from "../../src/store/secret.ts"
import { startInstance } from "./tools/instance.ts"
import { p99Paced } from "./tools/paced.ts"
import { seedBulkMail, tenKilobytes } from "./tools/seed-mail.ts"
import { below, type Figure } from "./tools/table.ts"

const mails = 2_000
const seconds = 5
/** What a campaign of a hundred thousand sees in its best minutes. */
const perSecond = 200

/** Opens and clicks of different mails, each on disk before it is answered. */
export async function tracking(): Promise<Figure[]> {
  const instance = await startInstance({}, (folder, projectId) => seedBulkMail(folder, projectId, mails))
  const links = createLinks(() => instance.url, openSecret(instance.folder))
  const database = new Database(join(instance.folder, "mailstead.db"), { readonly: true })
  const [first] = tenKilobytes.match(/https:[^"]+/) ?? []
  const find = database.query<{ hash: string }, [string]>("SELECT hash FROM link WHERE url = ?")
  const unsent = database.query<{ count: number }, []>("SELECT count(*) AS count FROM email WHERE sent_at IS NULL")
  while ((unsent.get()?.count ?? 1) > 0) await Bun.sleep(200)
  const link = find.get(first ?? "")?.hash
  if (link === undefined) throw new Error("The mails have no tracked link.")
  const ids = database.query<{ id: Uint8Array }, []>("SELECT id FROM email").all()
  const hits = ids.map(({ id }) => idOfBytes(id))
  const kinds = { opens: hits.map((id) => links.open(id)), clicks: hits.map((id) => links.click(id, link)) }
  const figures: Figure[] = []
  for (const connections of [1, 32])
    for (const [kind, urls] of Object.entries(kinds)) {
      const p99Ms = await p99Paced({ urls, connections, perSecond: connections === 1 ? 50 : perSecond, seconds })
      figures.push(below(`p99 of ${kind}, ${connections} connections`, p99Ms, "ms", 20, "paced"))
    }
  database.close()
  await instance.end()
  return figures
}

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { listHours, listLinks } from "../../src/modules/campaigns/engagement.ts"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { queryPlans } from "../harness/plans.ts"
import { scratch } from "../harness/store.ts"

const { plan } = queryPlans(/^$/)
const folder = scratch()
const hour = 3_600_000

test("what recipients did is read by index and in its order, whatever the size of the campaign", async () => {
  expect(await plan((db) => listHours(db, "c"))).toEqual([
    "SEARCH campaign_hour USING INDEX sqlite_autoindex_campaign_hour_1 (campaign_id=?)",
  ])
  expect(await plan((db) => listLinks(db, "c"))).toEqual([
    "SEARCH campaign_link USING INDEX campaign_link_clicks (campaign_id=?)",
  ])
})

test("opens and clicks that were there before are counted by the migration", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  const at = migrations.findIndex(({ name }) => name.endsWith("_campaign_engagement"))
  migrate(client, path, 1, migrations.slice(0, at))
  client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
    VALUES ('p', 'Acme', 'p', 'p', 's', 1, 1)`)
  client.run(`INSERT INTO campaign (id, project_id, name, subject, from_address, type, status, audience_type, sent_at, created_at, updated_at, body)
    VALUES ('c', 'p', 'June', 'Hi', 'a@acme.test', 'MARKETING', 'SENT', 'ALL', ${hour}, 1, 1, '')`)
  const insertMail = (id: string, campaign: string | null) =>
    client.run(
      `INSERT INTO email (id, project_id, campaign_id, locale, to_address, from_address, subject, type, source_type, status, message_id, lane, due_at, created_at, updated_at)
       VALUES (?, 'p', ?, 'en', 'b@acme.test', 'a@acme.test', 'Hi', 'MARKETING', 'CAMPAIGN', 'SENT', ?, 1, 1, 1, 1)`,
      [id, campaign, id],
    )
  insertMail("m", "c")
  insertMail("n", null)
  const add = client.prepare(
    "INSERT INTO event (id, project_id, email_id, name, data, created_at) VALUES (?, 'p', ?, ?, ?, ?)",
  )
  const clicked = '{"link":"https://acme.test/one"}'
  const rows = [
    ["a", "m", "email.open", "{}", hour + 1],
    ["b", "m", "email.open", "{}", 3 * hour],
    ["c", "m", "email.click", clicked, 3 * hour + 5],
    ["d", "m", "email.click", clicked, 60 * hour],
    ["e", "n", "email.click", clicked, 3 * hour],
    ["f", "m", "email.sent", "{}", 3 * hour],
  ] as const
  for (const row of rows) add.run(...row)

  migrate(client, path, 2)

  expect(client.query("SELECT * FROM campaign_hour ORDER BY hour").values()).toEqual([
    ["c", 0, 1, 0],
    ["c", 2, 1, 1],
  ])
  expect(client.query("SELECT * FROM campaign_link").values()).toEqual([["c", "https://acme.test/one", 2]])
  client.close()
})

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name.endsWith("_activity"))
const [hour, day] = [3_600_000, 86_400_000]

test("existing mails and events are counted by hour, day and domain, and later changes too", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  migrate(client, path, 1, migrations.slice(0, at))
  client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
    VALUES ('p', 'Acme', 'pk', 'h', 's', 1, 1)`)
  const mail = (id: string, to: string, fields: Record<string, number | string>) => {
    const all: Record<string, number | string> = {
      id,
      project_id: "p",
      locale: "en",
      to_address: to,
      from_address: "a@acme.test",
      subject: "s",
      type: "TRANSACTIONAL",
      source_type: "TRANSACTIONAL",
      status: "SENT",
      message_id: id,
      lane: 0,
      due_at: 1,
      created_at: 1,
      updated_at: 1,
      ...fields,
    }
    const names = Object.keys(all)
    client
      .prepare(`INSERT INTO email (${names.join()}) VALUES (${names.map(() => "?").join()})`)
      .run(...Object.values(all))
  }
  const event = (id: string, name: string, time: number) =>
    client
      .prepare("INSERT INTO event (id, project_id, name, data, created_at) VALUES (?, 'p', ?, '{}', ?)")
      .run(id, name, time)
  mail("a", "x@one.test", { sent_at: day, delivered_at: day + 1, opened_at: day + hour, opens: 2, scanner_opens: 1 })
  mail("b", "y@two.test", { sent_at: day + 1, opened_at: day + 2, opens: 1, scanner_opens: 1 })
  mail("c", "support@acme.test", { source_type: "INBOUND", created_at: 2 * day })
  event("e", "login", day)
  event("f", "email.sent", day)
  event("g", "contact.subscribed", day)

  migrate(client, path, 2)

  const hours = () =>
    client
      .query("SELECT kind, hour, count FROM activity_tally WHERE count <> 0 ORDER BY kind, hour")
      .values()
      .map((row) => row.join(" "))
  const before = [
    "contact.subscribed 24 1",
    "email.delivered 24 1",
    "email.opened 24 1",
    "email.opened 25 1",
    "email.received 48 1",
    "email.sent 24 2",
    "event.email 24 1",
    "event.triggered 24 1",
    "opened.machine 24 1",
    "sent.opened 24 2",
  ]
  expect(hours()).toEqual(before)
  expect(client.query("SELECT day, name, count FROM event_day ORDER BY name").values()).toEqual([
    [1, "contact.subscribed", 1],
    [1, "login", 1],
  ])
  const domains = () =>
    client.query("SELECT day, domain, sent, delivered, opened FROM domain_day ORDER BY domain").values()
  expect(domains()).toEqual([
    [1, "one.test", 1, 1, 1],
    [1, "two.test", 1, 0, 1],
  ])

  client.run(`UPDATE email SET delivered_at = ${day + 5} WHERE id = 'b'`)
  mail("d", "z@two.test", { sent_at: day })
  client.run("DELETE FROM email WHERE id IN ('a', 'c')")
  client.run("DELETE FROM event WHERE id = 'e'")
  expect(hours()).toEqual([
    "contact.subscribed 24 1",
    "email.delivered 24 1",
    "email.opened 24 1",
    "email.sent 24 2",
    "event.email 24 1",
    "opened.machine 24 1",
    "sent.opened 24 1",
  ])
  expect(domains()).toEqual([
    [1, "one.test", 0, 0, 0],
    [1, "two.test", 2, 1, 1],
  ])
  client.close()
})

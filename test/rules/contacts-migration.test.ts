import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name === "0001_contacts")

test("existing contacts keep their data and dependent rows, and are counted", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  migrate(client, path, 1, migrations.slice(0, at))
  for (const project of ["p", "q"])
    client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
      VALUES ('${project}', 'Acme', '${project}', '${project}', 's', 1, 1)`)
  const add = client.query(`INSERT INTO contact (seq, id, project_id, email, subscribed, data, created_at, updated_at)
    VALUES (?, ?, 'p', ?, ?, '{"plan":"pro"}', 2, 3)`)
  for (const seq of [3, 5, 9]) add.run(seq, `c${seq}`, `c${seq}@example.com`, seq === 5 ? 0 : 1)
  client.run("INSERT INTO field (project_id, key, type, contact_count) VALUES ('p', 'plan', 'string', 3)")
  client.run(`INSERT INTO event (id, project_id, contact_id, name, data, created_at)
    VALUES ('e', 'p', 'c5', 'signup', '{}', 1)`)
  const contacts = () => client.query("SELECT * FROM contact ORDER BY seq").all()
  const before = contacts()

  migrate(client, path, 2)

  expect(contacts()).toEqual(before)
  expect(client.query("SELECT * FROM contact_count").all()).toEqual([
    { project_id: "p", subscribed: 2, unsubscribed: 1, moves: 0, flips: 0 },
  ])
  expect(client.query("SELECT * FROM field").all()).toEqual([
    { project_id: "p", key: "plan", type: "string", contact_count: 3 },
  ])
  expect(client.query("SELECT id FROM event WHERE contact_id = 'c5'").values()).toEqual([["e"]])
  client.run("DELETE FROM contact WHERE seq IN (5, 9)")
  expect(client.query("SELECT count(*) FROM event").values()).toEqual([[0]])
  client.run(`INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at)
    VALUES ('new', 'p', 'new@example.com', 1, '{}', 2, 3)`)
  expect(client.query("SELECT seq FROM contact ORDER BY seq").values()).toEqual([[3], [10]])
  expect(client.query("SELECT subscribed, unsubscribed FROM contact_count").values()).toEqual([[2, 0]])
  client.close()
})

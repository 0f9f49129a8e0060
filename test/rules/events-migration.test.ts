import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name === "0004_segments_and_campaigns")

test("existing events are counted by project and name, and later changes too", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  migrate(client, path, 1, migrations.slice(0, at))
  for (const project of ["p", "q", "empty"])
    client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
      VALUES ('${project}', 'Acme', '${project}', '${project}', 's', 1, 1)`)
  const add = client.prepare("INSERT INTO event (id, project_id, name, data, created_at) VALUES (?, ?, ?, '{}', 1)")
  const rows = [
    ["a", "p", "login"],
    ["b", "p", "login"],
    ["c", "p", "purchase"],
    ["d", "q", "login"],
  ] as const
  for (const row of rows) add.run(...row)

  migrate(client, path, 2)

  const counts = () => client.query("SELECT * FROM event_tally ORDER BY project_id, name").values()
  expect(counts()).toEqual([
    ["p", "login", 2],
    ["p", "purchase", 1],
    ["q", "login", 1],
  ])
  client.run("INSERT INTO event (id, project_id, name, data, created_at) VALUES ('e', 'p', 'login', '{}', 1)")
  client.run("DELETE FROM event WHERE id IN ('c', 'd')")
  expect(counts()).toEqual([["p", "login", 3]])
  client.close()
})

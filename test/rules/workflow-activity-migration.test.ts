import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name.endsWith("_workflow_activity"))
const hour = 3_600_000

test("existing executions are counted by the hour of their start and end, and later changes too", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  migrate(client, path, 1, migrations.slice(0, at))
  client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
    VALUES ('p', 'Acme', 'pk', 'h', 's', 1, 1)`)
  client.run(`INSERT INTO contact (id, project_id, email, subscribed, data, created_at, updated_at)
    VALUES ('c', 'p', 'ada@example.com', 1, '{}', 1, 1)`)
  const execution = (id: string, startedAt: number, completedAt: number | null) =>
    client
      .prepare(
        `INSERT INTO workflow_execution (id, workflow_id, project_id, contact_id, status, context, started_at, completed_at,
          created_at, updated_at) VALUES (?, 'w', 'p', 'c', 'RUNNING', '{}', ?, ?, 1, 1)`,
      )
      .run(id, startedAt, completedAt)
  execution("a", hour, hour + 1)
  execution("b", hour + 2, null)

  migrate(client, path, 2)

  const hours = () =>
    client
      .query("SELECT kind, hour, count FROM activity_tally WHERE count <> 0 ORDER BY kind, hour")
      .values()
      .map((row) => row.join(" "))
  expect(hours()).toEqual(["workflow.completed 1 1", "workflow.started 1 2"])
  client.run("UPDATE workflow_execution SET completed_at = ? WHERE id = 'b'", [2 * hour])
  execution("c", 3 * hour, null)
  execution("d", 3 * hour, 3 * hour)
  client.run("UPDATE workflow_execution SET status = 'WAITING', completed_at = NULL WHERE id = 'c'")
  expect(hours()).toEqual([
    "workflow.completed 1 1",
    "workflow.completed 2 1",
    "workflow.completed 3 1",
    "workflow.started 1 2",
    "workflow.started 3 2",
  ])
  client.run("DELETE FROM workflow_execution WHERE id = 'a'")
  client.run("DELETE FROM contact")
  expect(hours()).toEqual([])
  client.close()
})

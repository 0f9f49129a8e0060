import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fillProject } from "../harness/filled-project.ts"

let before: TestApp
let after: TestApp | undefined
beforeAll(async () => {
  before = await startTestApp()
  await signUp(before, "owner@acme.test")
  await fillProject(before, before.project, "acme.test")
  await before.api("PUT /inbox/read", { body: {} })
})
afterAll(async () => {
  await after?.stop()
  await before.close()
})

type Table = readonly [name: string, rows: readonly unknown[][]]

/** Every table with its rows. */
function dump(client: Database): Table[] {
  const tables = client.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
  return tables
    .values()
    .map(([name]) => String(name))
    .filter((name) => !/^(?:migration|sqlite_|contact_search_(?!mark))/.test(name))
    .map((name) => [name, client.query(`SELECT * FROM "${name}"`).values()] as const)
}

const isText = "lower(hex(X))"
const part = (from: number, length: number) => `substr(${isText}, ${from}, ${length})`
const asText = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)].join(" || '-' || ")

/** Stores ids as before: text of 36 characters, and none where no message was read or indexed. */
function storeIdsAsText(client: Database): number {
  let changed = 0
  for (const [table] of dump(client))
    for (const [, column] of client.query(`PRAGMA table_info("${table}")`).values()) {
      const isId = `typeof("${column}") = 'blob' AND length("${column}") = 16`
      const text = asText.replaceAll("X", `"${column}"`)
      const empty = /^(?:after_id|read_up_to)$/.test(String(column)) ? `"${column}" = zeroblob(16)` : "0"
      changed += client.run(`UPDATE "${table}" SET "${column}" = iif(${empty}, '', ${text}) WHERE ${isId}`).changes
    }
  return changed
}

test("a store whose ids are text has the same records afterwards", async () => {
  const list = (it: TestApp) =>
    Promise.all(
      ["contacts", "emails", "events", "campaigns", "segments", "templates", "inbox", "activity"].map(
        async (path) => (await it.api(`GET /${path}`)).body,
      ),
    )
  const lists = await list(before)
  await before.stop()
  const client = new Database(join(before.folder, "mailstead.db"))
  const tables = dump(client)
  client.run("PRAGMA foreign_keys = OFF")
  expect(storeIdsAsText(client)).toBeGreaterThan(100)
  client.run("DELETE FROM migration WHERE name >= '0030'")
  // What later migrations make and replace.
  client.run("DROP INDEX email_held")
  client.run("DROP INDEX workflow_call_next")
  client.run("ALTER TABLE project DROP COLUMN deleted_at")
  client.run("DROP INDEX workflow_step_execution_completed")
  client.run("CREATE INDEX email_sending ON email (lease_until) WHERE status = 'SENDING'")
  client.run("CREATE INDEX workflow_step_execution_step ON workflow_step_execution (step_id, started_at)")
  expect(dump(client)).not.toEqual(tables)
  client.close()

  after = await startTestApp({ folder: before.folder, clock: before.clock, ids: before.ids })
  const migrated = new Database(join(before.folder, "mailstead.db"), { readonly: true })
  const now = new Map(dump(migrated))
  migrated.close()
  for (const [name, rows] of tables)
    if (name !== "signal" && name !== "cursor") expect([name, now.get(name)]).toEqual([name, rows])
  expect(await list(after)).toEqual(lists)
})

import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fillProject } from "../harness/filled-project.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name === "0030_id_bytes")

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

const columnsOf = (client: Database, table: string): string[] =>
  client
    .query(`PRAGMA table_info("${table}")`)
    .values()
    .map(([, name]) => String(name))

function tablesOf(client: Database): string[] {
  const tables = client.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
  return tables
    .values()
    .map(([name]) => String(name))
    .filter((name) => !/^(?:migration|sqlite_|contact_search_(?!mark))/.test(name))
}

/** Every table with its columns. */
const shapeOf = (client: Database) => tablesOf(client).map((name) => [name, columnsOf(client, name)] as const)

/** The rows of these columns of each table. */
const dump = (client: Database, shape = shapeOf(client)): Table[] =>
  shape.map(([name, columns]) => [name, client.query(`SELECT "${columns.join('", "')}" FROM "${name}"`).values()])

/** Gives a database of now the tables, columns, indexes and triggers that it had before the migration. */
function undoSchema(client: Database): void {
  const path = join(folder(), "mailstead.db")
  const old = new Database(path)
  migrate(old, path, 1, migrations.slice(0, at))
  const smallParts = (of: Database) =>
    of
      .query("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
      .values()
  const [before, now] = [smallParts(old), smallParts(client)]
  const missingIn = (others: unknown[][]) => (part: unknown[]) => !others.some((other) => other[2] === part[2])
  for (const [type, name] of now.filter(missingIn(before))) client.run(`DROP ${type} "${name}"`)
  for (const [table, columns] of shapeOf(client)) {
    const known = columnsOf(old, table)
    if (known.length === 0) client.run(`DROP TABLE "${table}"`)
    else
      for (const column of columns.filter((name) => !known.includes(name)))
        client.run(`ALTER TABLE "${table}" DROP COLUMN "${column}"`)
  }
  for (const [, , sql] of before.filter(missingIn(now))) client.run(String(sql))
  client.run("DELETE FROM migration WHERE name >= '0030'")
  old.close()
}

const isText = "lower(hex(X))"
const part = (from: number, length: number) => `substr(${isText}, ${from}, ${length})`
const asText = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)].join(" || '-' || ")

/** Stores ids as before: text of 36 characters, and none where no message was read or indexed. */
function storeIdsAsText(client: Database): number {
  let changed = 0
  for (const [table, columns] of shapeOf(client))
    for (const column of columns) {
      const isId = `typeof("${column}") = 'blob' AND length("${column}") = 16`
      const text = asText.replaceAll("X", `"${column}"`)
      const empty = /^(?:after_id|read_up_to)$/.test(column) ? `"${column}" = zeroblob(16)` : "0"
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
  client.run("PRAGMA foreign_keys = OFF")
  undoSchema(client)
  const shape = shapeOf(client)
  const tables = dump(client, shape)
  expect(storeIdsAsText(client)).toBeGreaterThan(100)
  expect(dump(client)).not.toEqual(tables)
  client.close()

  after = await startTestApp({ folder: before.folder, clock: before.clock, ids: before.ids })
  const migrated = new Database(join(before.folder, "mailstead.db"), { readonly: true })
  const now = new Map(dump(migrated, shape))
  migrated.close()
  for (const [name, rows] of tables)
    if (name !== "signal" && name !== "cursor") expect([name, now.get(name)]).toEqual([name, rows])
  expect(await list(after)).toEqual(lists)
})

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { copyFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createDatabase } from "../../src/store/sqlite/create-database.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

/** Every object of the schema in its order, every row, and what the file says about itself. */
function everythingIn(path: string) {
  const client = new Database(path, { readonly: true })
  const values = (query: string) => client.query(query).values()
  const tables = values("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").flat()
  const marks = ["application_id", "auto_vacuum", "encoding", "page_size", "user_version", "integrity_check"]
  const found = {
    schema: values("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"),
    rows: tables.map((name) => [name, values(`SELECT * FROM "${name}"`)]),
    marks: marks.map((name) => [name, values(`PRAGMA ${name}`)]),
  }
  client.close()
  return found
}

test("a database that is made at once is the one that the migrations make one by one", () => {
  const made = join(folder(), "mailstead.db")
  createDatabase(made, 1_000)
  const migrated = join(folder(), "mailstead.db")
  const client = new Database(migrated)
  client.run("PRAGMA auto_vacuum = INCREMENTAL")
  migrate(client, migrated, 1_000)
  client.close()
  expect(everythingIn(made)).toEqual(everythingIn(migrated))
})

test("only the owner can read it, and it is the only file", () => {
  const path = join(folder(), "mailstead.db")
  createDatabase(path, 1_000)
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600")
  expect(readdirSync(join(path, ".."))).toEqual(["mailstead.db"])
})

test("what an interrupted start, or a database that is gone, has left is not part of it", async () => {
  const [home, other] = [folder(), folder()]
  const store = await openTestStore(other)
  await store.write("instance", async ({ db }) => void (await db.run("CREATE TABLE of_the_other (x)")))
  copyFileSync(join(other, "mailstead.db-wal"), join(home, "mailstead.db-wal"))
  await store.close()
  writeFileSync(join(home, "mailstead.db.new"), "half a database")
  createDatabase(join(home, "mailstead.db"), 1_000)
  expect(readdirSync(home)).toEqual(["mailstead.db"])
  expect(JSON.stringify(everythingIn(join(home, "mailstead.db")).schema)).not.toContain("of_the_other")
})

test("a path that cannot be written is named, and nothing stays in it", () => {
  const home = folder()
  const path = join(home, "missing", "mailstead.db")
  expect(() => createDatabase(path, 1_000)).toThrow(path)
  expect(readdirSync(home)).toEqual([])
})

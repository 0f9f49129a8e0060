import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Migration } from "../../src/store/migration.ts"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate, pendingMigrations } from "../../src/store/sqlite/migrate.ts"
import { openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const first: Migration = { name: "0000_first", sql: "CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('kept');" }
const second: Migration = { name: "0001_second", sql: "CREATE TABLE b (y TEXT); INSERT INTO b SELECT x FROM a;" }
const faulty: Migration = { name: "0001_faulty", sql: "INSERT INTO a VALUES ('lost'); DROP TABLE nowhere;" }

function open(path = join(folder(), "mailstead.db")) {
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  const rows = (query: string) => client.query(query).values()
  return { path, client, rows, up: (...list: Migration[]) => migrate(client, path, 1_000, list) }
}

const dump = (path: string): unknown => {
  const client = new Database(path, { readonly: true })
  const tables = client.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").values().flat()
  const contents = tables.map((name) => [name, client.query(`SELECT * FROM "${name}"`).values()])
  client.close()
  return contents
}

test("a fresh database gets all migrations, without a copy", () => {
  const { client, path, rows, up } = open()
  up(first, second)
  expect(rows("SELECT * FROM b")).toEqual([["kept"]])
  expect(rows("SELECT name, applied_at FROM migration")).toEqual([
    ["0000_first", 1_000],
    ["0001_second", 1_000],
  ])
  client.close()
  expect(readdirSync(join(path, ".."))).toEqual(["mailstead.db"])
})

test("migrating again changes nothing", () => {
  const { client, path, up } = open()
  up(first, second)
  const before = dump(path)
  up(first, second)
  expect(dump(path)).toEqual(before)
  client.close()
  expect(readdirSync(join(path, ".."))).toEqual(["mailstead.db"])
})

test("before an upgrade a whole copy is made that only the owner can read", () => {
  const { client, path, rows, up } = open()
  up(first)
  const before = dump(path)
  up(first, second)
  expect(rows("SELECT * FROM b")).toEqual([["kept"]])
  const copy = `${path}.before-0001_second`
  expect(dump(copy)).toEqual(before)
  expect((statSync(copy).mode & 0o777).toString(8)).toBe("600")
  client.close()
  const restored = open(copy)
  restored.up(first, second)
  expect(restored.rows("SELECT * FROM b")).toEqual([["kept"]])
  restored.client.close()
})

test("the copy is of the database just before, regardless of files of an earlier attempt", () => {
  const { client, path, up } = open()
  up(first)
  expect(() => up(first, faulty)).toThrow()
  client.run("INSERT INTO a VALUES ('later')")
  const before = dump(path)
  writeFileSync(`${path}.before-0001_faulty.draft`, "half a copy of a process that was killed")
  expect(() => up(first, faulty)).toThrow()
  expect(dump(`${path}.before-0001_faulty`)).toEqual(before)
  expect(existsSync(`${path}.before-0001_faulty.draft`)).toBe(false)
  client.close()
})

test("a migration that fails midway is rolled back, with those before it", () => {
  const { client, path, up } = open()
  up(first)
  const before = dump(path)
  expect(() => up(first, faulty)).toThrow("nowhere")
  expect(dump(path)).toEqual(before)
  const third: Migration = { name: "0002_third", sql: "CREATE TABLE a (twice TEXT)" }
  expect(() => up(first, second, third)).toThrow("already exists")
  expect(pendingMigrations(client, path, [first, second, third])).toEqual([second, third])
  expect(dump(path)).toEqual(before)
  client.close()
})

test("rebuilding a table keeps the rows that refer to it", () => {
  const { client, rows, up } = open()
  const family: Migration = {
    name: "0000_family",
    sql: `CREATE TABLE parent (id TEXT PRIMARY KEY);
      CREATE TABLE child (id TEXT PRIMARY KEY, parent_id TEXT REFERENCES parent(id) ON DELETE CASCADE);
      INSERT INTO parent VALUES ('p'); INSERT INTO child VALUES ('c', 'p');`,
  }
  const rebuilt: Migration = {
    name: "0001_rebuilt",
    sql: `PRAGMA foreign_keys=OFF;
      CREATE TABLE __new_parent (id TEXT PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO __new_parent SELECT id, 'unnamed' FROM parent;
      DROP TABLE parent;
      ALTER TABLE __new_parent RENAME TO parent;
      PRAGMA foreign_keys=ON;`,
  }
  up(family)
  up(family, rebuilt)
  expect(rows("SELECT child.id, parent.name FROM child JOIN parent ON parent.id = parent_id")).toEqual([
    ["c", "unnamed"],
  ])
  client.run("DELETE FROM parent")
  expect(rows("SELECT * FROM child")).toEqual([])
  const careless: Migration = { name: "0002_careless", sql: "INSERT INTO child VALUES ('orphan', 'nobody')" }
  expect(() => up(family, rebuilt, careless)).toThrow('"0002_careless" leaves rows of child without their parent')
  expect(rows("SELECT * FROM child")).toEqual([])
  expect(rows("PRAGMA foreign_keys")).toEqual([[1]])
  client.close()
})

test("a database of a newer version is refused and not changed, and the way back named if there is one", () => {
  const { client, path, up } = open()
  up(first)
  up(first, second)
  const before = dump(path)
  const newer = `${path} was made by a newer version of Mailstead (it has "0001_second"). Run that version, `
  const copy = `${path}.before-0001_second`
  expect(() => up(first)).toThrow(`${newer}restore a backup, or go back to ${copy} as config/backups.md says`)
  rmSync(copy)
  expect(() => up(first)).toThrow(`${newer}or restore a backup.`)
  expect(dump(path)).toEqual(before)
  client.close()
})

test("a database that other texts migrated is refused", () => {
  const { client, path, up } = open()
  up(first)
  expect(() => up({ ...first, sql: `${first.sql} ` }, second)).toThrow(
    /another build of Mailstead \("0000_first" differs\)/,
  )
  expect(() => up({ ...first, name: "0000_other" }, second)).toThrow(/another build/)
  expect(pendingMigrations(client, path, [first])).toEqual([])
  client.close()
})

test("the database of another program is refused, and not a byte of it changes", async () => {
  const home = folder()
  const path = join(home, "mailstead.db")
  const foreign = new Database(path)
  foreign.run("CREATE TABLE theirs (x TEXT)")
  foreign.close()
  const before = readFileSync(path)
  await expect(openTestStore(home)).rejects.toThrow(
    `${path} is a database of another program. Name another data folder.`,
  )
  expect(readFileSync(path).equals(before)).toBe(true)
  const marked = new Database(path)
  marked.run("DROP TABLE theirs")
  marked.run("PRAGMA application_id = 7")
  marked.close()
  await expect(openTestStore(home)).rejects.toThrow("is a database of another program")
})

test("the migrations of this version are in the order of their numbers and bring a fresh database up", () => {
  const numbers = migrations.map(({ name }) => Number(/^(\d{4})_[a-z_]+$/.exec(name)?.[1]))
  expect(numbers).toEqual(Array.from(new Set(numbers)).toSorted((a, b) => a - b))
  const { client, path } = open()
  migrate(client, path, 1_000)
  expect(pendingMigrations(client, path)).toEqual([])
  expect(client.query("PRAGMA foreign_key_check").all()).toEqual([])
  client.close()
})

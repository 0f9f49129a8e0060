import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { is } from "drizzle-orm"
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core"
import drizzleConfig from "../../config/drizzle.ts"
import { migrationIndex } from "../../config/migrations.ts"
import { migrations } from "../../src/store/migrations/index.ts"

const root = resolve(import.meta.dir, "../..")
const folder = join(root, "src/store/migrations")

test("the list of migrations is what `bun run migration` writes", () => {
  expect(readFileSync(join(folder, "index.ts"), "utf8")).toBe(migrationIndex(readdirSync(folder)))
})

test("migrations are listed in the order of their numbers, whatever else lies in the folder", () => {
  const text = migrationIndex(["0010_b.sql", "meta", "0002_a.sql", "index.ts"])
  expect([...text.matchAll(/name: "(.*?)"/g)].map(([, name]) => name)).toEqual(["0002_a", "0010_b"])
})

/** The tables of all `table.ts`. */
async function declaredTables(): Promise<SQLiteTable[]> {
  const paths = [drizzleConfig.schema ?? []].flat().flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })])
  const files: object[] = await Promise.all(paths.map((path) => import(join(root, path))))
  return files.flatMap((file) => Object.values(file).filter((one) => is(one, SQLiteTable)))
}

test("the migrations make the columns and indexes that the code declares", async () => {
  using client = new Database(":memory:")
  for (const { sql } of migrations) client.run(sql)
  const tables = (await declaredTables()).map(getTableConfig)
  expect(tables.length).toBeGreaterThan(50)
  const declared = tables.flatMap(({ name, columns, indexes }) => [
    ...columns.map((column) => `column ${name}.${column.name}`),
    ...columns.flatMap(({ isUnique, uniqueName }) => (isUnique ? [`index ${uniqueName}`] : [])),
    ...indexes.map((index) => `index ${index.config.name}`),
  ])
  const namesIn = (query: string, table: string) =>
    client
      .query<{ name: string }, [string]>(query)
      .all(table)
      .map(({ name }) => name)
  const made = tables.flatMap(({ name: table }) => [
    ...namesIn("SELECT name FROM pragma_table_info(?)", table).map((name) => `column ${table}.${name}`),
    ...namesIn("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'", table).map((name) => `index ${name}`),
  ])
  const differences = [...new Set(declared).symmetricDifference(new Set(made))]
  expect(differences.map((name) => `${name}: run bun run migration --name=noun_verb`)).toEqual([])
})

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { silentLog } from "../../src/kernel/log.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { openStore, type Store } from "../../src/store/store.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const clock = createFakeClock()
const open = (home: string) => openStore({ folder: home, clock, log: silentLog, holder: "the test" })
const fileOf = (home: string) => join(home, "mailstead.db")
const modeOf = (home: string) => {
  const db = new Database(fileOf(home), { readonly: true })
  const mode = db.query("PRAGMA auto_vacuum").get() as { auto_vacuum: number }
  db.close()
  return mode.auto_vacuum
}

const change = (store: Store, query: string) =>
  store.write("instance", async (unit) => void (await unit.db.run(sql.raw(query))))

const rows =
  "INSERT INTO filler WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT randomblob(2000) FROM n"

async function fill(store: Store): Promise<void> {
  await change(store, "CREATE TABLE filler (x)")
  await change(store, rows)
}

test("a new data folder can give its space back", async () => {
  const home = folder()
  const store = open(home)
  await fill(store)
  const full = await store.space()
  expect(full.bytes).toBeGreaterThan(2_000_000)
  await change(store, "DELETE FROM filler")
  const emptied = await store.space()
  expect([emptied.bytes, emptied.unusedBytes > 1_900_000]).toEqual([full.bytes, true])
  const first = await store.write("instance", (unit) => store.cutPages(unit, 10))
  expect(first).toBe(10 * 4_096)
  let given = first
  for (let bytes = first; bytes > 0; given += bytes)
    bytes = await store.write("instance", (unit) => store.cutPages(unit, 100))
  expect(await store.space()).toEqual({ bytes: full.bytes - given, unusedBytes: 0 })
  await store.close()
  expect([modeOf(home), statSync(fileOf(home)).size]).toEqual([2, full.bytes - given])
})

test("the folder of an earlier version is rewritten once, with everything in it", async () => {
  const home = folder()
  const before = new Database(fileOf(home))
  migrate(before, fileOf(home), 0)
  before.run("CREATE TABLE filler (x)")
  before.run(rows)
  const kept = before.query("SELECT count(*) AS n, sum(length(x)) AS bytes FROM filler").get()
  before.close()
  expect(modeOf(home)).toBe(0)
  const again = open(home)
  expect(await again.read.all(sql`SELECT count(*) AS n, sum(length(x)) AS bytes FROM filler`)).toEqual([kept])
  await change(again, "DELETE FROM filler")
  expect(await again.write("instance", (unit) => again.cutPages(unit, 100_000))).toBeGreaterThan(1_900_000)
  await again.close()
  expect(modeOf(home)).toBe(2)
})

test("a unit that fails gives nothing back", async () => {
  const store = open(folder())
  await fill(store)
  await change(store, "DELETE FROM filler")
  const before = await store.space()
  const failing = store.write("instance", async (unit) => {
    await store.cutPages(unit, 100)
    throw new Error("No.")
  })
  await expect(failing).rejects.toThrow("No.")
  expect(await store.space()).toEqual(before)
  await store.close()
})

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { silentLog } from "../../src/kernel/log.ts"
import { openStore } from "../../src/store/store.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { addNote, noteNames, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const clock = createFakeClock()
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const openShared = (home: string) =>
  openStore({ folder: home, clock, log: silentLog, holder: "a command", access: "shared" })

test("a new data folder and its files are accessible only to the owner", async () => {
  const home = join(folder(), "deep", "data")
  const store = await openTestStore(home)
  await store.write("instance", (unit) => addNote(unit, "a"))
  expect([modeOf(home), modeOf(join(home, ".."))]).toEqual(["700", "700"])
  for (const name of readdirSync(home)) expect([name, modeOf(join(home, name))]).toEqual([name, "600"])
  expect(readdirSync(home)).toContain("mailstead.db-wal")
  await store.close()
})

test("a folder that is there already keeps its mode", async () => {
  const home = join(folder(), "data")
  mkdirSync(home)
  chmodSync(home, 0o755)
  const store = await openTestStore(home)
  expect([modeOf(home), modeOf(join(home, "mailstead.db"))]).toEqual(["755", "600"])
  await store.close()
})

test("a closed store is complete in a single file", async () => {
  const home = folder()
  const store = await openTestStore(home)
  await store.write("instance", (unit) => addNote(unit, "a"))
  await store.close()
  const elsewhere = join(folder(), "copy.db")
  copyFileSync(join(home, "mailstead.db"), elsewhere)
  const copy = new Database(elsewhere)
  expect(copy.query("SELECT name FROM note").values()).toEqual([["a"]])
  copy.close()
})

test("a store opens again with what was in it, with foreign keys on and its log synced by the writer", async () => {
  const home = folder()
  const first = await openTestStore(home)
  await first.write("instance", (unit) => addNote(unit, "a"))
  await first.close()
  const second = await openTestStore(home)
  expect(await noteNames(second.read)).toEqual(["a"])
  const pragma = (name: string) => second.write("instance", async (unit) => unit.db.all(`PRAGMA ${name}`))
  expect(await pragma("foreign_keys")).toEqual([{ foreign_keys: 1 }])
  expect(await pragma("synchronous")).toEqual([{ synchronous: 1 }])
  expect(await pragma("journal_mode")).toEqual([{ journal_mode: "wal" }])
  await second.close()
})

test("a second server on the same folder is refused, and the first goes on", async () => {
  const home = folder()
  const store = await openTestStore(home)
  await expect(openTestStore(home)).rejects.toThrow(`${home} is in use by the test. Stop it`)
  await store.write("instance", (unit) => addNote(unit, "a"))
  await store.close()
  await (await openTestStore(home)).close()
})

test("a command beside a running server writes what the server sees at once, and the other way round", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const command = openShared(home)
  await command.write("instance", (unit) => addNote(unit, "of the command"))
  expect(await noteNames(store.read)).toEqual(["of the command"])
  await store.write("instance", (unit) => addNote(unit, "of the server"))
  expect(await noteNames(command.read)).toEqual(["of the command", "of the server"])
  await command.close()
  await store.write("instance", (unit) => addNote(unit, "afterwards"))
  await store.close()
})

test("a command without a server holds the folder while it works, and frees it", async () => {
  const home = folder()
  const command = openShared(home)
  expect(() => openStore({ folder: home, clock, log: silentLog, holder: "a server" })).toThrow("in use by a command")
  await command.close()
  await (await openTestStore(home)).close()
})

test("a folder that could not be opened is not locked", async () => {
  const home = folder()
  await Bun.write(join(home, "mailstead.db"), "no database at all ".repeat(500))
  for (let attempt = 0; attempt < 2; attempt++)
    expect(() => openStore({ folder: home, clock, log: silentLog, holder: "a server" })).toThrow("not a database")
  await Bun.file(join(home, "mailstead.db")).delete()
  await (await openTestStore(home)).close()
})

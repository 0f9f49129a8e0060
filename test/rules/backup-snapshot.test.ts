import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { systemClock } from "../../src/kernel/clock.ts"
import { holdSnapshot } from "../../src/store/sqlite/snapshot.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const megabyte = 1_048_576

test("a snapshot is given up when the log has grown longer than what is free on the disk", async () => {
  const path = join(folder(), "mailstead.db")
  const writer = new Database(path)
  for (const pragma of ["journal_mode = WAL", "wal_autocheckpoint = 0", "synchronous = OFF"])
    writer.run(`PRAGMA ${pragma}`)
  writer.run("CREATE TABLE filler (x BLOB)")
  let freeBytes = 80 * megabyte
  const snapshot = await holdSnapshot(path, systemClock, { freeBytes: () => freeBytes })
  const grow = (megabytes: number) => writer.query("INSERT INTO filler VALUES (zeroblob(?))").run(megabytes * megabyte)
  const read = async () => {
    let bytes = 0
    for await (const piece of snapshot.read()) bytes += piece.length
    return bytes
  }
  grow(70)
  expect(await read()).toBe(snapshot.bytes)
  freeBytes = 60 * megabyte
  await expect(read()).rejects.toThrow("60 MB are free")
  await snapshot.close()
  writer.close()
})

test("a log as long as it is kept anyway is no reason to give a snapshot up", async () => {
  const path = join(folder(), "mailstead.db")
  const writer = new Database(path)
  writer.run("PRAGMA journal_mode = WAL")
  writer.run("CREATE TABLE filler (x BLOB)")
  const snapshot = await holdSnapshot(path, systemClock, { freeBytes: () => 0 })
  for await (const piece of snapshot.read()) expect(piece.length).toBeGreaterThan(0)
  await snapshot.close()
  writer.close()
})

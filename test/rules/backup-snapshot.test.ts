import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { systemClock } from "../../src/kernel/clock.ts"
import { holdSnapshot } from "../../src/store/sqlite/snapshot.ts"
import { unsoundnessOf } from "../../src/store/sqlite/soundness.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const megabyte = 1_048_576

/** A database whose log grows with every commit. */
function growing() {
  const path = join(folder(), "mailstead.db")
  const writer = new Database(path)
  for (const pragma of ["journal_mode = WAL", "wal_autocheckpoint = 0", "synchronous = OFF"])
    writer.run(`PRAGMA ${pragma}`)
  writer.run("CREATE TABLE filler (x BLOB)")
  const grow = (megabytes: number) => writer.query("INSERT INTO filler VALUES (zeroblob(?))").run(megabytes * megabyte)
  return { path, writer, grow }
}

test("a snapshot is given up when the log has grown longer than what is free on the disk", async () => {
  const { path, writer, grow } = growing()
  let freeBytes = 80 * megabyte
  const snapshot = await holdSnapshot(path, systemClock, { freeBytes: () => freeBytes })
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

test("the check before it is given up for that, too", async () => {
  const { path, writer, grow } = growing()
  const abort = new AbortController().signal
  const grown = { now: () => 0, sleep: async () => void grow(70) }
  const check = unsoundnessOf(path, { clock: grown, abort, machine: { freeBytes: () => 60 * megabyte } })
  await expect(check).rejects.toThrow("60 MB are free")
  const roomy = { clock: systemClock, abort, machine: { freeBytes: () => 80 * megabyte } }
  expect(await unsoundnessOf(path, roomy)).toBeUndefined()
  writer.close()
})

test.each([
  ["written again", "UPDATE one SET x = 2"],
  ["cut off", "PRAGMA incremental_vacuum"],
])("a snapshot is one state where pages are %s while another read holds the file back", async (_, later) => {
  const path = join(folder(), "mailstead.db")
  const writer = new Database(path)
  for (const pragma of ["auto_vacuum = INCREMENTAL", "journal_mode = WAL", "wal_autocheckpoint = 0"])
    writer.run(`PRAGMA ${pragma}`)
  for (const table of ["one", "other"]) {
    writer.run(`CREATE TABLE ${table} (x INTEGER)`)
    writer.run(`INSERT INTO ${table} VALUES (0)`)
  }
  writer.run("CREATE TABLE filler (x BLOB)")
  writer.query("PRAGMA wal_checkpoint(TRUNCATE)").get()
  const reader = new Database(path, { readonly: true })
  reader.run("BEGIN")
  reader.query("SELECT x FROM one").get()
  writer.transaction(() => {
    for (const table of ["one", "other"]) writer.run(`UPDATE ${table} SET x = 1`)
    writer.run("INSERT INTO filler VALUES (zeroblob(400000))")
    writer.run("DELETE FROM filler")
  })()
  const commits = [
    () => {
      writer.query(later).all()
      reader.close()
      writer.query("PRAGMA wal_checkpoint(PASSIVE)").get()
    },
  ]
  const commit = async () => commits.pop()?.()
  const clock = { now: () => 0, sleep: commit }
  const snapshot = await holdSnapshot(path, clock, { freeBytes: () => 1_000 * megabyte })
  await commit()
  const pieces: Uint8Array[] = []
  for await (const piece of snapshot.read()) pieces.push(piece.slice())
  await snapshot.close()
  writer.close()
  const copy = Buffer.concat(pieces)
  expect(copy.length).toBe(snapshot.bytes)
  const copied = join(folder(), "copy.db")
  writeFileSync(copied, copy)
  const taken = new Database(copied)
  expect(taken.query("SELECT (SELECT x FROM one), (SELECT x FROM other)").values()).toEqual([[1, 1]])
  expect(taken.query("PRAGMA integrity_check").values()).toEqual([["ok"]])
  taken.close()
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

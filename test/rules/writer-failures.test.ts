import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { DomainError } from "../../src/kernel/errors.ts"
import type { Unit } from "../../src/store/writer.ts"
import { addNote, fillDisk, freeDisk, noteNames, noteTable, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => "no failure").catch((cause) => cause)

test("a failed unit stores nothing and does not affect other units of its commit", async () => {
  const store = await openTestStore(folder())
  const results = await Promise.allSettled([
    store.write("instance", (unit) => addNote(unit, "a")),
    store.write("instance", async (unit) => {
      await addNote(unit, "lost-1")
      await addNote(unit, "lost-2")
      await unit.db.update(noteTable).set({ size: 99 })
      throw new DomainError("conflict", "CONFLICT", "No.")
    }),
    store.write("instance", async (unit) => {
      await addNote(unit, "b")
      return noteNames(unit.db)
    }),
  ])
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { kind: "conflict", message: "No." } },
    { status: "fulfilled", value: ["a", "b"] },
  ])
  expect(await store.read.select().from(noteTable)).toEqual([
    { name: "a", size: 0 },
    { name: "b", size: 0 },
  ])
  await store.close()
})

test("a failed unit that is alone in its commit stores nothing, and the next one is stored", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "a"))
  const told: string[] = []
  const failure = await failureOf(
    store.write("instance", async (unit) => {
      unit.afterCommit(() => told.push("lost"))
      await addNote(unit, "lost")
      await unit.db.update(noteTable).set({ size: 99 })
      throw new DomainError("conflict", "CONFLICT", "No.")
    }),
  )
  expect(failure).toMatchObject({ kind: "conflict", message: "No." })
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.write("instance", (unit) => addNote(unit, "b"))
  expect(await store.read.select().from(noteTable)).toEqual([
    { name: "a", size: 0 },
    { name: "b", size: 0 },
  ])
  expect(told).toEqual([])
  await store.close()
})

test("a broken constraint fails its own unit only", async () => {
  const store = await openTestStore(folder())
  const results = await Promise.allSettled([
    store.write("instance", (unit) => addNote(unit, "a")),
    store.write("instance", (unit) => addNote(unit, "a")),
    store.write("instance", (unit) => addNote(unit, "b")),
  ])
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(await noteNames(store.read)).toEqual(["a", "b"])
  await store.close()
})

test("a unit that throws synchronously fails like any other", async () => {
  const store = await openTestStore(folder())
  const failure = await failureOf(
    store.write("instance", () => {
      throw new Error("At once.")
    }),
  )
  expect(failure).toMatchObject({ message: "At once." })
  await store.write("instance", (unit) => addNote(unit, "a"))
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.close()
})

test("a unit waits for another connection that writes, and the event loop goes on meanwhile", async () => {
  const path = folder()
  const store = await openTestStore(path)
  const other = new Database(join(path, "mailstead.db"), { readwrite: true })
  other.run("BEGIN IMMEDIATE")
  const written = store.write("instance", (unit) => addNote(unit, "a"))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(await noteNames(store.read)).toEqual([])
  other.run("ROLLBACK")
  other.close()
  await written
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.close()
})

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("hello") })
afterAll(() => server.stop(true))

const worlds: [string, () => Promise<unknown>][] = [
  ["a timer", () => Bun.sleep(1)],
  ["a turn of the event loop", () => new Promise(setImmediate)],
  ["a request", () => fetch(server.url)],
  ["a timer that is due at once", () => Bun.sleep(0)],
  ["a file", () => readFile(import.meta.path)],
  ["a file system call", () => stat(import.meta.path)],
  ["a password", () => Bun.password.hash("x", { algorithm: "bcrypt", cost: 4 })],
  ["a digest", () => crypto.subtle.digest("SHA-1", new Uint8Array(1))],
  ["a tick", () => new Promise<void>((resolve) => process.nextTick(resolve))],
  ["something that never comes", () => new Promise(() => {})],
]

test.each(worlds)(
  "a unit that waits for %s is rolled back and told so, and the others are stored",
  async (_, world) => {
    const store = await openTestStore(folder())
    const first = store.write("instance", (unit) => addNote(unit, "a"))
    const breach = failureOf(
      store.write("instance", async (unit) => {
        await addNote(unit, "lost")
        await world()
        await addNote(unit, "late")
      }),
    )
    const last = store.write("instance", (unit) => addNote(unit, "b"))
    expect(String(await breach)).toContain("awaited something other than the store")
    await Promise.all([first, last])
    expect(await noteNames(store.read)).toEqual(["a", "b"])
    await store.close()
  },
)

test("a unit that waits for another unit gets an error instead of a deadlock", async () => {
  const store = await openTestStore(folder())
  const inner: Promise<unknown>[] = []
  const outer = store.write("instance", async (unit) => {
    await addNote(unit, "outer")
    inner.push(store.write("instance", (other) => addNote(other, "inner")))
    await inner[0]
  })
  expect(String(await failureOf(outer))).toContain("awaited something other than the store")
  await inner[0]
  expect(await noteNames(store.read)).toEqual(["inner"])
  await store.close()
})

test("writes of a unit that has ended throw, and change nothing", async () => {
  const store = await openTestStore(folder())
  const kept: Unit[] = []
  const world = Promise.withResolvers<void>()
  const late = Promise.withResolvers<unknown>()
  const breach = store.write("instance", async (unit) => {
    await world.promise
    late.resolve(await failureOf((async () => addNote(unit, "late"))()))
  })
  await failureOf(breach)
  await store.write("instance", async (unit) => {
    kept.push(unit)
  })
  await failureOf(
    store.write("instance", async (unit) => {
      kept.push(unit)
      throw new Error("No.")
    }),
  )
  world.resolve()
  expect(String(await late.promise)).toContain("This unit of work has ended.")
  for (const unit of kept) expect(() => unit.db).toThrow("This unit of work has ended.")
  expect(await noteNames(store.read)).toEqual([])
  await store.close()
})

test("a fault of the store fails the whole commit, leaves nothing, and the next commit works", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "a"))
  await fillDisk(store)
  const big = "x".repeat(200_000)
  const results = await Promise.allSettled([
    store.write("instance", (unit) => addNote(unit, "small")),
    store.write("instance", (unit) => addNote(unit, big)),
    store.write("instance", (unit) => addNote(unit, "after")),
  ])
  for (const result of results)
    expect(result).toMatchObject({ status: "rejected", reason: { kind: "unavailable", code: "STORE_UNAVAILABLE" } })
  expect(await noteNames(store.read)).toEqual(["a"])
  await freeDisk(store)
  await Promise.all([
    store.write("instance", (unit) => addNote(unit, "b")),
    store.write("instance", (unit) => addNote(unit, big)),
  ])
  expect(await noteNames(store.read)).toEqual(["a", "b", big])
  expect(store.records).toMatchObject([{ level: "error", message: "A transaction could not be committed" }])
  await store.close()
})

test("a fault of the engine fails the commit even when it left the transaction open", async () => {
  const store = await openTestStore(folder())
  const results = await Promise.allSettled([
    store.write("instance", (unit) => addNote(unit, "a")),
    store.write("instance", async () => {
      throw new Error("Failed query", {
        cause: Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_READ" }),
      })
    }),
  ])
  for (const result of results)
    expect(result).toMatchObject({ status: "rejected", reason: { code: "STORE_UNAVAILABLE" } })
  expect(await noteNames(store.read)).toEqual([])
  await store.write("instance", (unit) => addNote(unit, "b"))
  expect(await noteNames(store.read)).toEqual(["b"])
  await store.close()
})

test("a unit that catches a fault of the store is not reported as stored, and can store nothing after it", async () => {
  const store = await openTestStore(folder())
  await fillDisk(store)
  const swallowed = store.write("instance", async (unit) => {
    await addNote(unit, "x".repeat(200_000)).catch(() => {})
    await addNote(unit, "ghost")
  })
  expect(await failureOf(swallowed)).toMatchObject({ kind: "unavailable", code: "STORE_UNAVAILABLE" })
  await freeDisk(store)
  expect(await noteNames(store.read)).toEqual([])
  await store.write("instance", (unit) => addNote(unit, "a"))
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.close()
})

test("the handle for reads outside of units cannot write", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "a"))
  expect(() => store.read.run(sql`DELETE FROM note`)).toThrow()
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.close()
})

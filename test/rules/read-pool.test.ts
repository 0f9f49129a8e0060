import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { createFairQueue } from "../../src/kernel/fair-queue.ts"
import { flag, json, string } from "../../src/store/columns.ts"
import type { Db } from "../../src/store/database.ts"
import { SlowRead } from "../../src/store/slow-read.ts"
import { createReadPool } from "../../src/store/sqlite/read-pool.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { addNote, noteTable, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const raw = (text: string) => (db: Db) => db.all<unknown[]>(sql.raw(text))
const counting = (upTo: number) => (db: Db) =>
  db.all<[number]>(
    sql`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo}) SELECT count(*) FROM n`,
  )

test("a read in the pool sees what is committed", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "one", 7))
  const query = (db: Db) => db.select({ bytes: noteTable.size }).from(noteTable)
  expect(await store.readPool.read("acme", query)).toEqual([{ bytes: 7 }])
  await store.write("instance", (unit) => addNote(unit, "two", 8))
  expect(await store.readPool.read("acme", query)).toHaveLength(2)
  await store.close()
})

test("rows are decoded by the columns of the query: flags, JSON and nulls", async () => {
  const store = await openTestStore(folder())
  const table = sqliteTable("thing", { isOn: flag("is_on"), data: json<unknown>("data"), name: string("name") })
  await store.write("instance", async ({ db }) => {
    await db.run(sql`CREATE TABLE thing (is_on INTEGER, data TEXT, name TEXT)`)
    await db.insert(table).values([
      { isOn: true, data: { a: [1] }, name: null },
      { isOn: false, data: null, name: "two" },
    ])
  })
  const query = (db: Db) => db.select().from(table).orderBy(sql`rowid`)
  expect(await store.readPool.read("acme", query)).toEqual(await query(store.read))
  expect(await store.readPool.read("acme", query)).toEqual([
    { isOn: true, data: { a: [1] }, name: null },
    { isOn: false, data: null, name: "two" },
  ])
  await store.close()
})

test("more reads than threads are all answered, each with its own rows", async () => {
  const store = await openTestStore(folder())
  const sizes = Array.from({ length: 20 }, (_, at) => at + 1)
  const answers = await Promise.all(sizes.map((size) => store.readPool.read(`project${size % 7}`, counting(size))))
  expect(answers.map(([row]) => row?.[0])).toEqual(sizes)
  await store.close()
})

test("a store that has given its memory back answers as before, also what it is asked meanwhile", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "one", 7))
  const query = (db: Db) => db.select({ bytes: noteTable.size }).from(noteTable)
  for (let n = 0; n < 3; n++) {
    expect(await store.readPool.read("acme", query)).toHaveLength(n + 1)
    const meanwhile = store.readPool.read("acme", query)
    store.releaseMemory()
    store.releaseMemory()
    expect(await meanwhile).toHaveLength(n + 1)
    store.releaseMemory()
    await store.write("instance", (unit) => addNote(unit, `more ${n}`, n))
  }
  store.releaseMemory()
  await store.close()
})

test("changes tells of the commits of this process at once, of others from the next turn on, and of nothing else", async () => {
  const place = folder()
  const store = await openTestStore(place)
  const [before, others] = [store.changes(), store.changesOfOthers()]
  await store.read.select().from(noteTable)
  expect(store.changes()).toBe(before)
  await store.write("instance", (unit) => addNote(unit, "one", 7))
  const after = store.changes()
  expect(after).not.toBe(before)
  await yieldToEventLoop()
  expect([store.changes(), store.changesOfOthers()]).toEqual([after, others])
  const other = new Database(join(place, "mailstead.db"))
  other.run("PRAGMA user_version = 7")
  other.close()
  await yieldToEventLoop()
  expect(store.changes()).not.toBe(after)
  expect(store.changesOfOthers()).not.toBe(others)
  await store.close()
})

test("the event loop is not blocked by a long read", async () => {
  const store = await openTestStore(folder())
  let running = true
  const long = store.readPool.read("acme", counting(2_000_000)).finally(() => {
    running = false
  })
  let turns = 0
  for (; running; turns++) await yieldToEventLoop()
  expect(turns).toBeGreaterThan(10)
  await long
  await store.close()
})

test("a read that fails says why, and the next one is answered", async () => {
  const store = await openTestStore(folder())
  await expect(store.readPool.read("acme", raw("SELECT * FROM nowhere"))).rejects.toThrow("no such table: nowhere")
  await expect(store.readPool.read("acme", raw("DELETE FROM note"))).rejects.toThrow("readonly")
  expect(await store.readPool.read("acme", counting(3))).toEqual([[3]])
  await store.close()
})

/** A count that asks for each row whether there is time left. */
const askingFor = (upTo: number) => (db: Db) =>
  db.all<[number]>(
    sql`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo}) SELECT count(*) FROM n WHERE in_time()`,
  )

test("closing the store ends a read that runs after 2 seconds at most, and refuses others", async () => {
  const store = await openTestStore(folder())
  const ended = store.readPool.read("acme", counting(20_000_000)).then(
    () => "read",
    (cause: Error) => cause.message,
  )
  await yieldToEventLoop()
  const closed = store.close()
  expect(await ended).toBe("The server is stopping.")
  await store.clock.advance(2_000)
  await closed
  await expect(store.readPool.read("acme", counting(1))).rejects.toMatchObject({
    kind: "unavailable",
    code: "SHUTTING_DOWN",
  })
})

test.each([
  ["that rests", 1],
  ["that reads", 1_000_000_000],
])("closing the store empties the log, also with a thread %s", async (_, rows) => {
  for (let time = 0; time < 10; time++) {
    const home = folder()
    const store = await openTestStore(home)
    await store.write("instance", (unit) => addNote(unit, "one"))
    const read = store.readPool.read("acme", askingFor(rows)).catch(() => [])
    if (rows === 1) await read
    else await store.readPool.read("other", counting(1))
    await store.close()
    const logBytes = statSync(join(home, "mailstead.db-wal"), { throwIfNoEntry: false })?.size ?? 0
    expect([logBytes, store.records]).toEqual([0, []])
    await read
  }
})

test("a read that exceeds its limit is ended with an error, and its thread continues", async () => {
  const store = await openTestStore(folder(), undefined, { readLimitMs: 20 })
  const ended = store.readPool.read("acme", askingFor(1_000_000_000))
  await expect(ended).rejects.toBeInstanceOf(SlowRead)
  await expect(ended).rejects.toThrow("longer than 0.02 seconds")
  expect(await store.readPool.read("acme", counting(3))).toEqual([[3]])
  await store.close()
})

test("projects take turns, with one read of each at a time", async () => {
  const turns = createFairQueue<string>()
  for (const work of ["a1", "a2", "a3", "b1", "c1", "b2"]) turns.add(work.charAt(0), work)
  expect([turns.begin(), turns.begin()]).toEqual(["a1", "b1"])
  turns.end("a")
  expect([turns.begin(), turns.begin(), turns.begin()]).toEqual(["c1", "a2", undefined])
  turns.end("b")
  expect([turns.begin(), turns.begin()]).toEqual(["b2", undefined])
  turns.end("a")
  expect(turns.begin()).toBe("a3")
  turns.add("d", "d1")
  expect(turns.drain()).toEqual(["d1"])
})

test("reads of one project with different parts run at the same time, others one after the other", async () => {
  const store = await openTestStore(folder())
  let ended = false
  const long = store.readPool
    .read("acme", askingFor(1_000_000_000), 0)
    .catch(() => [])
    .finally(() => {
      ended = true
    })
  const after = store.readPool.read("acme", counting(10)).catch(() => "not begun")
  expect(await store.readPool.read("acme", counting(10), 1)).toEqual([[10]])
  expect(ended).toBe(false)
  await store.close()
  await long
  expect(await after).toBe("not begun")
})

test("a project with many long reads does not delay another", async () => {
  const store = await openTestStore(folder())
  const long = Array.from({ length: 5 }, () => store.readPool.read("busy", askingFor(1_000_000_000)))
  const ended = Promise.allSettled(long)
  expect(await store.readPool.read("quick", counting(10))).toEqual([[10]])
  await store.close()
  for (const { status } of await ended) expect(status).toBe("rejected")
})

test("a thread that fails while it is idle is replaced", async () => {
  const threads: { onerror(event: unknown): void; posted: number }[] = []
  const start = () => {
    const thread = {
      posted: 0,
      onmessage: (_: unknown) => {},
      onerror: (_: unknown) => {},
      postMessage(question: unknown) {
        thread.posted++
        queueMicrotask(() => thread.onmessage({ data: question === undefined ? {} : { rows: [[1]] } }))
      },
      terminate: () => {},
    }
    threads.push(thread)
    return thread as unknown as Worker
  }
  const pool = createReadPool("x", 1_000, { clock: createFakeClock(), source: { start, end: () => {} } })
  expect(await pool.read("acme", raw("SELECT 1"))).toEqual([[1]])
  threads[0]?.onerror({ message: "it broke" })
  expect(await pool.read("acme", raw("SELECT 1"))).toEqual([[1]])
  expect(threads.map(({ posted }) => posted)).toEqual([1, 1])
  await pool.close()
})

import { expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import type { ReadPoolQuery } from "../../src/store/engine.ts"
import { addNote, noteTable, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const raw = (text: string, ...params: unknown[]): ReadPoolQuery => ({ toSQL: () => ({ sql: text, params }) })
const counting = (upTo: number) =>
  raw("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) AS c FROM n", upTo)

test("a read aside sees what is committed, under the names of the columns", async () => {
  const store = await openTestStore(folder())
  await store.write("instance", (unit) => addNote(unit, "one", 7))
  const query = store.read.select({ size: sql<number>`${noteTable.size}`.as("size") }).from(noteTable)
  expect(await store.readPool.read<{ size: number }>(query)).toEqual([{ size: 7 }])
  await store.write("instance", (unit) => addNote(unit, "two", 8))
  expect(await store.readPool.read<{ size: number }>(query)).toHaveLength(2)
  await store.close()
})

test("more reads than threads are all answered, each with its own rows", async () => {
  const store = await openTestStore(folder())
  const sizes = Array.from({ length: 4 * store.readPool.width }, (_, at) => at + 1)
  const answers = await Promise.all(sizes.map((size) => store.readPool.read<{ c: number }>(counting(size))))
  expect(answers.map(([row]) => row?.c)).toEqual(sizes)
  await store.close()
})

test("the event loop turns while a long read runs", async () => {
  const store = await openTestStore(folder())
  let running = true
  const long = store.readPool.read(counting(2_000_000)).finally(() => {
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
  await expect(store.readPool.read(raw("SELECT * FROM nowhere"))).rejects.toThrow("no such table: nowhere")
  await expect(store.readPool.read(raw("DELETE FROM note"))).rejects.toThrow("readonly")
  expect(await store.readPool.read<{ c: number }>(counting(3))).toEqual([{ c: 3 }])
  await store.close()
})

test("closing the store ends a read that runs, and refuses others", async () => {
  const store = await openTestStore(folder())
  const ended = store.readPool.read(counting(20_000_000)).then(
    () => "read",
    (cause: Error) => cause.message,
  )
  await yieldToEventLoop()
  await store.close()
  expect(await ended).toBe("The server is stopping.")
  await expect(store.readPool.read(counting(1))).rejects.toThrow("The server is stopping.")
})

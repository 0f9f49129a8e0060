import { expect, test } from "bun:test"
import { asc, inArray } from "drizzle-orm"
import { inSlices } from "../../src/store/slices.ts"
import type { Unit } from "../../src/store/writer.ts"
import { addNote, noteNames, noteTable, openTestStore, scratch, type TestStore } from "../harness/store.ts"

const folder = scratch()

/** A store with so many notes. */
async function notes(count: number): Promise<TestStore> {
  const store = await openTestStore(folder())
  await store.write("instance", async (unit) => {
    for (let at = 0; at < count; at++) await addNote(unit, String(at))
  })
  return store
}

async function dropNotes(unit: Unit, limit: number): Promise<number> {
  const some = unit.db.select({ name: noteTable.name }).from(noteTable).orderBy(asc(noteTable.name)).limit(limit)
  return (await unit.db.delete(noteTable).where(inArray(noteTable.name, some)).returning()).length
}

test.each([
  [0, 1],
  [2, 1],
  [3, 2],
  [7, 3],
])("%d rows in slices of 3 take %d units", async (count, units) => {
  const store = await notes(count)
  let steps = 0
  const done = await inSlices(
    store,
    "instance",
    (unit, limit) => {
      steps++
      return dropNotes(unit, limit)
    },
    { size: 3 },
  )
  expect([done, steps]).toEqual([{ rows: count, isOver: true }, units])
  expect(await noteNames(store.read)).toEqual([])
  await store.close()
})

test("an abort leaves the rest, and is reported", async () => {
  const store = await notes(5)
  const abort = new AbortController()
  const step = (unit: Unit, limit: number) => {
    abort.abort()
    return dropNotes(unit, limit)
  }
  expect(await inSlices(store, "instance", step, { size: 2, abort: abort.signal })).toEqual({ rows: 2, isOver: false })
  expect(await noteNames(store.read)).toHaveLength(3)
  expect(await inSlices(store, "instance", step, { abort: abort.signal })).toEqual({ rows: 0, isOver: false })
  await store.close()
})

test("other work on the event loop goes on between two slices", async () => {
  const store = await notes(4)
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await inSlices(store, "instance", dropNotes, { size: 1, turns: 10 })
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(40)
  await store.close()
})

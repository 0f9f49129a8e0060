import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { addNote, commitsIn, heldSyncs, noteNames, openTestStore, scratch, until } from "../harness/store.ts"

const folder = scratch()

/** A store whose syncs the test controls. */
async function open(home = folder()) {
  const syncs = heldSyncs()
  const store = await openTestStore(home, undefined, syncs)
  const settled: string[] = []
  const add = async (name: string): Promise<void> => {
    await store.write("instance", async (unit) => {
      unit.afterCommit(() => settled.push(`${name} called back`))
      await addNote(unit, name)
    })
    settled.push(name)
  }
  const committed = (count: number) => until(() => commitsIn(home) >= count)
  return { home, syncs, store, settled, add, committed, before: commitsIn(home) }
}

test("a unit settles, and its callbacks run, only after a sync of its commit", async () => {
  const { syncs, store, settled, add, committed, before } = await open()
  syncs.hold()
  const written = add("a")
  await committed(before + 1)
  expect(await noteNames(store.read)).toEqual(["a"])
  expect(settled).toEqual([])
  syncs.release()
  await written
  expect(settled).toEqual(["a called back", "a"])
  await store.close()
})

test("units that come during a sync share the next transaction and its sync", async () => {
  const { home, syncs, store, settled, add, committed, before } = await open()
  const begun = syncs.begun
  syncs.hold()
  const written = [add("a")]
  await committed(before + 1)
  written.push(add("b"), add("c"), add("d"))
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect([commitsIn(home) - before, syncs.begun - begun, settled]).toEqual([1, 1, []])
  syncs.release()
  await Promise.all(written)
  expect([commitsIn(home) - before, syncs.begun - begun]).toEqual([2, 2])
  await store.close()
})

test("a transaction that changes nothing needs no sync of its own, and settles after those of earlier ones", async () => {
  const { syncs, store, settled, add, committed, before } = await open()
  await add("a")
  const begun = syncs.begun
  const look = (name: string) =>
    store
      .write("instance", async (unit) => void settled.push(`${name} saw ${(await noteNames(unit.db)).join()}`))
      .then(() => settled.push(name))
  await look("b")
  expect([syncs.begun - begun, settled.splice(0)]).toEqual([0, ["a called back", "a", "b saw a", "b"]])
  syncs.hold()
  const written = add("c")
  await committed(before + 2)
  const looked = look("d")
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(settled).toEqual([])
  syncs.release()
  await Promise.all([written, looked])
  expect(settled).toEqual(["c called back", "c", "d saw a,c", "d"])
  await store.close()
})

test("a whole transaction runs during a sync, and is synced after it", async () => {
  const { syncs, store, add, committed, before } = await open()
  const begun = syncs.begun
  const many = Array.from({ length: 600 }, (_, at) => `n${at}`)
  syncs.hold()
  const written = Promise.all(many.map(add))
  await committed(before + 2)
  expect(syncs.begun - begun).toBe(1)
  syncs.release()
  await written
  expect(await noteNames(store.read)).toEqual(many.toSorted())
  await store.close()
})

test("what a read has seen is settled with the sync of its commit", async () => {
  const { syncs, store, add, committed, before } = await open()
  expect(store.settled()).toBeUndefined()
  syncs.hold()
  const written = add("a")
  await committed(before + 1)
  let isSettled = false
  const settled = Promise.resolve(store.settled()).then(() => {
    isSettled = true
  })
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(isSettled).toBe(false)
  syncs.release()
  await Promise.all([written, settled])
  expect(store.settled()).toBeUndefined()
  await store.close()
})

test("closing waits for the running sync", async () => {
  const { home, syncs, store, settled, add, committed, before } = await open()
  syncs.hold()
  const written = add("a")
  await committed(before + 1)
  const closing = store.close().then(() => settled.push("closed"))
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(settled).toEqual([])
  syncs.release()
  await Promise.all([written, closing])
  expect(settled).toEqual(["a called back", "a", "closed"])
  expect(statSync(join(home, "mailstead.db-wal")).size).toBe(0)
})

test("after a failed sync nothing is acknowledged or written any more, not even when the disk works again", async () => {
  const { home, syncs, store, settled, add, committed, before } = await open()
  await add("a")
  syncs.hold()
  const first = add("b")
  await committed(before + 2)
  const second = add("c")
  syncs.fail()
  const refusal = (message: string) => ({ code: "STORE_UNAVAILABLE", message: expect.stringContaining(message) })
  await expect(first).rejects.toMatchObject(refusal("not known whether this change was stored"))
  await expect(second).rejects.toMatchObject(refusal("Nothing was changed"))
  syncs.release()
  await expect(add("d")).rejects.toMatchObject(refusal("Nothing was changed"))
  store.clock.jump(60_000)
  await expect(store.check()).rejects.toMatchObject(refusal("until the server is restarted"))
  expect(settled).toEqual(["a called back", "a"])
  expect(commitsIn(home) - before).toBe(2)
  // What was committed can still be read.
  expect(await noteNames(store.read)).toEqual(["a", "b"])
  expect(store.settled()).toBeUndefined()
  expect(store.records.filter(({ message }) => message.includes("The disk has failed"))).toMatchObject([
    { level: "error", fields: { reason: expect.stringContaining("i/o error") } },
  ])
  await store.close()
})

test("after a failed sync the log is left to the recovery of the next start, which empties it", async () => {
  const { home, syncs, store, add } = await open()
  await add("a")
  syncs.fail()
  await expect(add("b")).rejects.toThrow("not known whether")
  const size = () => statSync(join(home, "mailstead.db-wal")).size
  const left = size()
  expect(left).toBeGreaterThan(0)
  const database = statSync(join(home, "mailstead.db")).mtimeMs
  await store.close()
  expect([size(), statSync(join(home, "mailstead.db")).mtimeMs]).toEqual([left, database])
  const again = await openTestStore(home)
  expect(await noteNames(again.read)).toContain("a")
  await again.close()
})

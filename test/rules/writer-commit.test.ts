import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Clock } from "../../src/kernel/clock.ts"
import { addNote, commitsIn, noteNames, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${String(at).padStart(4, "0")}`)

test("writes that wait together share a commit", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const before = commitsIn(home)
  await Promise.all(many(100).map((name) => store.write("instance", (unit) => addNote(unit, name))))
  expect(commitsIn(home) - before).toBe(1)
  expect(await noteNames(store.read)).toEqual(many(100))
  await store.close()
})

test("writes that wait for each other have a commit of their own", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const before = commitsIn(home)
  for (const name of many(3)) await store.write("instance", (unit) => addNote(unit, name))
  expect(commitsIn(home) - before).toBe(3)
  await store.close()
})

test("a result settles only when another connection can see the change", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const stranger = new Database(join(home, "mailstead.db"), { readonly: true })
  const seen = (name: string) => stranger.query("SELECT 1 FROM note WHERE name = ?").get(name) !== null
  const observed: boolean[][] = []
  await Promise.all(
    many(20).map(async (name) => {
      const within = await store.write("instance", async (unit) => {
        await addNote(unit, name)
        return seen(name)
      })
      observed.push([within, seen(name)])
    }),
  )
  expect(observed).toEqual(many(20).map(() => [false, true]))
  stranger.close()
  await store.close()
})

test("callbacks after a commit run once, after it, in the order of their registration", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const before = commitsIn(home)
  const heard: string[] = []
  await Promise.all([
    store.write("instance", async (unit) => {
      unit.afterCommit(() => heard.push(`a after ${commitsIn(home) - before}`))
      unit.afterCommit(() => heard.push("b"))
      await addNote(unit, "a")
      heard.push("in the unit")
    }),
    store.write("instance", async (unit) => unit.afterCommit(() => heard.push("c"))),
  ])
  await store.write("instance", async (unit) => addNote(unit, "d"))
  expect(heard).toEqual(["in the unit", "a after 1", "b", "c"])
  await store.close()
})

test("callbacks after a commit do not run after a rollback", async () => {
  const store = await openTestStore(folder())
  const heard: string[] = []
  const refused = store.write("instance", async (unit) => {
    unit.afterCommit(() => heard.push("refused"))
    await addNote(unit, "a")
    throw new Error("No.")
  })
  const stored = store.write("instance", async (unit) => unit.afterCommit(() => heard.push("stored")))
  expect(await refused.catch(String)).toBe("Error: No.")
  await stored
  expect(heard).toEqual(["stored"])
  await store.close()
})

test("an error in a callback after a commit affects no unit, and is logged", async () => {
  const store = await openTestStore(folder())
  const heard: string[] = []
  await store.write("instance", async (unit) => {
    await addNote(unit, "a")
    unit.afterCommit(() => {
      throw new Error("A listener is broken.")
    })
    unit.afterCommit(() => heard.push("the next listener"))
  })
  await store.write("instance", (unit) => addNote(unit, "b"))
  expect(heard).toEqual(["the next listener"])
  expect(await noteNames(store.read)).toEqual(["a", "b"])
  expect(store.records).toMatchObject([{ level: "error", fields: { reason: "A listener is broken." } }])
  await store.close()
})

test("many writes are committed in batches, and the event loop runs between them", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const before = commitsIn(home)
  let turns = 0
  let done = false
  const turn = () => {
    if (done) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  await Promise.all(many(2_000).map((name) => store.write("instance", (unit) => addNote(unit, name))))
  done = true
  const commits = commitsIn(home) - before
  expect(commits).toBeGreaterThanOrEqual(2_000 / 256)
  expect(commits).toBeLessThan(200)
  expect(turns).toBeGreaterThanOrEqual(commits - 1)
  await store.close()
})

test("slow units are committed sooner, so that others are not kept waiting, and none is lost", async () => {
  let now = 0
  const clock: Clock = { now: () => now, sleep: async () => {} }
  const home = folder()
  const store = await openTestStore(home, clock)
  const before = commitsIn(home)
  const order: string[] = []
  await Promise.all(
    many(12).map((name) =>
      store.write("instance", async (unit) => {
        now += 10
        order.push(name)
        await addNote(unit, name)
      }),
    ),
  )
  expect(commitsIn(home) - before).toBe(4)
  expect(order).toEqual(many(12))
  expect(await noteNames(store.read)).toEqual(many(12))
  await store.close()
})

test("every unit uses one time for everything that it writes", async () => {
  const store = await openTestStore(folder())
  const at = store.clock.now()
  expect(await store.write("instance", async (unit) => unit.now)).toBe(at)
  await store.clock.advance(1_234)
  expect(await store.write("instance", async (unit) => unit.now)).toBe(at + 1_234)
  await store.close()
})

test("closing lets waiting units finish and refuses new ones, and can be repeated", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const waiting = many(300).map((name) => store.write("instance", (unit) => addNote(unit, name)))
  const closing = store.close()
  const late = store.write("instance", (unit) => addNote(unit, "late"))
  await expect(late).rejects.toMatchObject({ kind: "unavailable", code: "SHUTTING_DOWN" })
  await Promise.all([...waiting, closing])

  const again = await openTestStore(home)
  expect(await noteNames(again.read)).toEqual(many(300))
  const last = again.write("instance", (unit) => addNote(unit, "o"))
  await Promise.all([last, again.close(), again.close()])
})

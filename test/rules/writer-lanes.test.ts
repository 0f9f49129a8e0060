import { describe, expect, test } from "bun:test"
import type { Clock } from "../../src/kernel/clock.ts"
import { createUnitQueue, type Waiting } from "../../src/store/sqlite/unit-queue.ts"
import type { WriteLane } from "../../src/store/writer.ts"
import { addNote, commitsIn, heldSyncs, noteTable, openTestStore, scratch, until } from "../harness/store.ts"

const folder = scratch()

const named = (lane: WriteLane, name: string): Waiting & { name: string } => ({
  lane,
  name,
  work: async () => {},
  resolve: () => {},
  reject: () => {},
})
const namesOf = (waiting: readonly Waiting[]): string[] =>
  waiting.map((each) => (each as unknown as { name: string }).name)

test("the queue gives each lane its turn, the delivery first", () => {
  const queue = createUnitQueue()
  for (const name of ["r1", "r2", "r3", "r4"]) queue.add(named("requests", name))
  for (const name of ["d1", "d2"]) queue.add(named("delivery", name))
  expect(namesOf(queue.take(3, true))).toEqual(["d1", "r1", "d2"])
  expect([queue.length, queue.has("delivery"), queue.has("requests")]).toEqual([3, false, true])
  expect(namesOf(queue.take(9, true))).toEqual(["r2", "r3", "r4"])
  expect(queue.length).toBe(0)
})

test("the queue leaves requests where they are when they have to wait", () => {
  const queue = createUnitQueue()
  for (const name of ["r1", "r2"]) queue.add(named("requests", name))
  for (const name of ["d1", "d2"]) queue.add(named("delivery", name))
  expect(namesOf(queue.take(9, false))).toEqual(["d1", "d2"])
  expect(namesOf(queue.take(9, true))).toEqual(["r1", "r2"])
})

test("units that were put back go before later ones of their lane", () => {
  const queue = createUnitQueue()
  for (const name of ["r1", "r2"]) queue.add(named("requests", name))
  for (const name of ["d1", "d2"]) queue.add(named("delivery", name))
  const taken = queue.take(4, true)
  queue.add(named("requests", "r3"))
  queue.add(named("delivery", "d3"))
  queue.putBack(taken.slice(1))
  expect(namesOf(queue.take(9, true))).toEqual(["d2", "r1", "d3", "r2", "r3"])
})

test("a claim does not wait for the requests before it", async () => {
  const home = folder()
  const syncs = heldSyncs()
  const store = await openTestStore(home, undefined, syncs)
  const order: string[] = []
  const run = (name: string, lane?: WriteLane) =>
    store.write(
      "instance",
      async (unit) => {
        order.push(name)
        await addNote(unit, name)
      },
      lane,
    )
  const before = commitsIn(home)
  syncs.hold()
  const written = [run("first")]
  await until(() => commitsIn(home) > before)
  for (let n = 0; n < 200; n++) written.push(run(`request ${n}`))
  written.push(run("claim", "delivery"), run("receipt", "delivery"))
  syncs.release()
  await Promise.all(written)
  expect(order.slice(0, 4)).toEqual(["first", "claim", "request 0", "receipt"])
  expect(order).toHaveLength(203)
  await store.close()
})

test("requests get their turn however many units the delivery has", async () => {
  const store = await openTestStore(folder())
  let isOver = false
  let deliveries = 0
  const deliver = async (): Promise<void> => {
    while (!isOver) await store.write("instance", async () => void deliveries++, "delivery")
  }
  const delivering = Promise.all(Array.from({ length: 32 }, deliver))
  await Promise.all(Array.from({ length: 300 }, (_, n) => store.write("instance", (unit) => addNote(unit, `n${n}`))))
  isOver = true
  await delivering
  expect(deliveries).toBeGreaterThan(0)
  await store.close()
})

describe("while mail is late", () => {
  let now = 0
  const clock: Clock = { now: () => now, sleep: async () => {} }

  test("requests wait for their turn as long as the delivery has work", async () => {
    const store = await openTestStore(folder(), clock)
    let isOver = false
    let deliveries = 0
    const deliver = async (): Promise<void> => {
      while (!isOver) await store.write("instance", async () => void deliveries++, "delivery")
    }
    await store.write("instance", (unit) => addNote(unit, "before"))
    store.preferDelivery()
    const delivering = Promise.all(Array.from({ length: 32 }, deliver))
    const stored: string[] = []
    const request = store.write("instance", (unit) => addNote(unit, "request")).then(() => stored.push("request"))
    await until(() => deliveries > 500)
    expect(stored).toEqual([])
    now += 40
    await request
    isOver = true
    await delivering
    await store.close()
  })

  test("requests get their turn however long each unit of the delivery takes", async () => {
    const store = await openTestStore(folder(), clock)
    let isStored = false
    let deliveries = 0
    const deliverSlowly = async (): Promise<void> => {
      deliveries++
      now += 5
      store.preferDelivery()
    }
    const deliver = async (): Promise<void> => {
      while (!isStored && deliveries < 300) await store.write("instance", deliverSlowly, "delivery")
    }
    const delivering = Promise.all(Array.from({ length: 4 }, deliver))
    await until(() => deliveries > 20)
    const before = deliveries
    await store.write("instance", (unit) => addNote(unit, "request"))
    isStored = true
    await delivering
    expect(deliveries - before).toBeLessThan(40)
    await store.close()
  })

  test("requests run when the delivery has nothing to do", async () => {
    const store = await openTestStore(folder(), clock)
    await store.write("instance", (unit) => addNote(unit, "before"))
    store.preferDelivery()
    // The clock stands still, so that only the idle event loop lets it run.
    await store.write("instance", (unit) => addNote(unit, "request"))
    expect(await store.read.select().from(noteTable)).toHaveLength(2)
    await store.close()
  })

  test("transactions are shorter, until half a second has passed", async () => {
    const home = folder()
    const store = await openTestStore(home, clock)
    const commitsFor = async (units: number): Promise<number> => {
      const before = commitsIn(home)
      const add = (_: unknown, at: number) =>
        store.write("instance", async (unit) => {
          now += 1
          await addNote(unit, `${before} ${at}`)
        })
      await Promise.all(Array.from({ length: units }, add))
      return commitsIn(home) - before
    }
    expect(await commitsFor(50)).toBe(2)
    store.preferDelivery()
    expect(await commitsFor(20)).toBe(5)
    now += 500
    expect(await commitsFor(50)).toBe(2)
    await store.close()
  })
})

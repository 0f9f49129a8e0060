import { expect, test } from "bun:test"
import { cut, grown, listener, range, startBus, storedSignals } from "../harness/bus.ts"
import { addNote, noteNames, openTestStore, scratch, until, writesDone } from "../harness/store.ts"

const folder = scratch()

test("each subscriber gets its signals, once, in commit order, with project and time", async () => {
  const store = await openTestStore(folder())
  const heard: Record<string, number[]> = { both: [], cuts: [] }
  const { bus, emit } = await startBus(store, [
    listener("both", (numbers) => void heard.both?.push(...numbers), [grown, cut]),
    {
      name: "cuts",
      on: [cut],
      async handle(signals) {
        for (const { seq, ...signal } of signals) {
          expect(seq).toBeGreaterThan(0)
          expect(signal).toMatchObject({ name: "plant.cut", projectId: "p", createdAt: store.clock.now() })
        }
        heard.cuts?.push(...signals.map(({ payload }) => (payload as { number: number }).number))
      },
    },
  ])
  await emit(grown, 1, 2)
  await emit(cut, 3)
  await emit(grown, 4)
  await emit(cut, 5)
  expect(await bus.drain()).toBe(7)
  expect(await bus.drain()).toBe(0)
  expect(heard).toEqual({ both: [1, 2, 3, 4, 5], cuts: [3, 5] })
  await store.close()
})

test("many signals come in batches of a bounded size", async () => {
  const store = await openTestStore(folder())
  const batches: number[][] = []
  const { bus, emit } = await startBus(store, [listener("a", (numbers) => void batches.push(numbers), [grown, cut])])
  for (let first = 1; first <= 1_000; first += 100)
    await emit(first % 200 === 1 ? grown : cut, ...range(first, first + 99))
  expect(await bus.drain()).toBe(1_000)
  expect(batches.flat()).toEqual(range(1, 1_000))
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(200)
  await store.close()
})

test("a signal of a change that was rolled back is never delivered", async () => {
  const store = await openTestStore(folder())
  const heard: number[] = []
  const { bus, emit } = await startBus(store, [listener("a", (numbers) => void heard.push(...numbers))])
  bus.watch(grown, ({ payload }) => heard.push(payload.number))
  const change = store.write("instance", async (unit) => {
    await bus.emit(unit, grown, "p", { number: 1 })
    throw new Error("No.")
  })
  await expect(change).rejects.toThrow("No.")
  await emit(grown, 2)
  await bus.drain()
  expect(heard).toEqual([2, 2])
  await store.close()
})

test("signals of a reaction are delivered in the same drain, to others and to itself", async () => {
  const store = await openTestStore(folder())
  const heard: string[] = []
  const { bus, emit } = await startBus(store, [
    listener("gardener", async (numbers, unit) => {
      for (const number of numbers) {
        heard.push(`grown ${number}`)
        if (number < 3) await bus.emit(unit, grown, "p", { number: number + 1 })
        await bus.emit(unit, cut, "p", { number })
      }
    }),
    listener("collector", (numbers) => void heard.push(...numbers.map((number) => `cut ${number}`)), [cut]),
  ])
  await emit(grown, 1)
  await bus.drain()
  expect(heard.toSorted()).toEqual(["cut 1", "cut 2", "cut 3", "grown 1", "grown 2", "grown 3"])
  await store.close()
})

test("signals without a subscriber are not stored", async () => {
  const store = await openTestStore(folder())
  const { emit } = await startBus(store, [listener("a", () => {}, [cut])])
  await emit(grown, 1)
  await emit(cut, 2)
  expect(await storedSignals(store)).toEqual([2])
  await store.close()
})

test("a new subscriber starts at the end of the log, a known one where it stopped", async () => {
  const store = await openTestStore(folder())
  const first = await startBus(store, [listener("old", () => {})])
  await first.emit(grown, 1, 2)
  await first.bus.drain()
  await first.emit(grown, 3)
  const heard: Record<string, number[]> = { old: [], new: [] }
  const second = await startBus(store, [
    listener("old", (numbers) => void heard.old?.push(...numbers)),
    listener("new", (numbers) => void heard.new?.push(...numbers)),
  ])
  await second.bus.drain()
  await second.emit(grown, 4)
  await second.bus.drain()
  expect(heard).toEqual({ old: [3, 4], new: [4] })
  await store.close()
})

test("a watcher is called at once after the commit, until it unsubscribes, and one that throws affects no other", async () => {
  const store = await openTestStore(folder())
  const { bus, emit } = await startBus(store, [])
  const heard: unknown[] = []
  bus.watch(grown, () => {
    throw new Error("A watcher is broken.")
  })
  const leave = bus.watch(grown, (signal) => heard.push(signal))
  await store.write("instance", async (unit) => {
    await bus.emit(unit, grown, "p", { number: 1 })
    await bus.emit(unit, cut, "p", { number: 2 })
    expect(heard).toEqual([])
  })
  expect(heard).toEqual([{ name: "plant.grown", projectId: "p", payload: { number: 1 }, createdAt: store.clock.now() }])
  leave()
  await emit(grown, 3)
  await store.write("instance", (unit) => addNote(unit, "still writing"))
  expect([heard.length, await noteNames(store.read)]).toEqual([1, ["still writing"]])
  await store.close()
})

test("signals are deleted only when all subscribers have handled them", async () => {
  const store = await openTestStore(folder())
  let broken = true
  const { bus, emit } = await startBus(store, [
    listener("quick", () => {}),
    listener("slow", () => {
      if (broken) throw new Error("Not now.")
    }),
  ])
  await emit(grown, 1, 2, 3)
  await bus.drain()
  await bus.prune()
  expect(await storedSignals(store)).toEqual([1, 2, 3])
  broken = false
  await store.clock.advance(200)
  await bus.drain()
  await emit(grown, 4)
  await bus.prune()
  expect(await storedSignals(store)).toEqual([4])
  await bus.drain()
  await bus.prune()
  expect(await storedSignals(store)).toEqual([])
  await store.close()
})

test("a subscriber without signals does not delay pruning, and misses nothing", async () => {
  const store = await openTestStore(folder())
  const heard: number[] = []
  const { bus, emit } = await startBus(store, [
    listener("busy", () => {}),
    listener("idle", (numbers) => void heard.push(...numbers), [cut]),
  ])
  await emit(grown, 1, 2)
  await bus.drain()
  await bus.prune()
  expect(await storedSignals(store)).toEqual([])
  await emit(cut, 3)
  await bus.prune()
  expect(await storedSignals(store)).toEqual([3])
  await bus.drain()
  expect(heard).toEqual([3])
  await store.close()
})

test("after everything was pruned new signals are still delivered", async () => {
  const home = folder()
  const store = await openTestStore(home)
  const first = await startBus(store, [listener("a", () => {})])
  await first.emit(grown, 1, 2)
  await first.bus.drain()
  await first.bus.prune()
  await store.close()
  const again = await openTestStore(home)
  const heard: number[] = []
  const second = await startBus(again, [
    listener("a", (numbers) => void heard.push(...numbers)),
    listener("b", () => {}),
  ])
  await second.emit(grown, 3)
  await second.bus.drain()
  expect(heard).toEqual([3])
  await again.close()
})

test("the loop picks up new signals, and stops between two batches", async () => {
  const store = await openTestStore(folder())
  const batches: number[][] = []
  const { bus, emit } = await startBus(store, [
    listener("a", (numbers) => {
      batches.push(numbers)
      if (batches.length === 2) stopped = bus.loop.stop()
    }),
  ])
  let stopped: Promise<void> | undefined
  bus.loop.start()
  await writesDone(store)
  await emit(grown, 1)
  await until(async () => {
    await store.clock.advance(10)
    return batches.length === 1
  })
  await emit(grown, ...range(2, 1_001))
  await until(async () => {
    await store.clock.advance(10)
    return stopped !== undefined
  })
  await stopped
  expect(batches.map((batch) => batch.length)).toEqual([1, 200])
  await store.close()
})

test("signals that concern no subscriber are not stored, those that concern one are handled by all", async () => {
  const store = await openTestStore(folder())
  const heard: Record<string, number[]> = { choosy: [], idle: [] }
  const odd = (_: string, payload: unknown) => (payload as { number: number }).number % 2 === 1
  const { bus, emit } = await startBus(store, [
    { ...listener("choosy", (numbers) => void heard.choosy?.push(...numbers)), concerns: odd },
    { ...listener("idle", (numbers) => void heard.idle?.push(...numbers)), concerns: () => false },
  ])
  await emit(grown, 1, 2, 3)
  expect(await storedSignals(store)).toHaveLength(2)
  await bus.drain()
  expect(heard).toEqual({ choosy: [1, 3], idle: [1, 3] })
  await store.close()
})

test("a subscriber with much work gets no more signals at once than its limit", async () => {
  const store = await openTestStore(folder())
  const batches: number[][] = []
  const { bus, emit } = await startBus(store, [
    { ...listener("slow", (numbers) => void batches.push(numbers)), atOnce: 4 },
  ])
  await emit(grown, ...range(1, 10))
  expect(await bus.drain()).toBe(10)
  expect(batches).toEqual([range(1, 4), range(5, 8), range(9, 10)])
  await store.close()
})

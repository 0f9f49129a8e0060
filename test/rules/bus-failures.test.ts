import { expect, test } from "bun:test"
import { DomainError } from "../../src/kernel/errors.ts"
import { grown, listener, parkedSignals, range, startBus, storedSignals } from "../harness/bus.ts"
import { addNote, fillDisk, freeDisk, noteNames, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

test("one failing signal in a batch does not prevent the others from being handled, once each and in order", async () => {
  const store = await openTestStore(folder())
  let broken = true
  const { bus, emit, records } = await startBus(store, [
    listener("a", async (numbers, unit) => {
      for (const number of numbers) await addNote(unit, String(number).padStart(3, "0"), number)
      if (broken && numbers.includes(50)) throw new Error("50 is too much.")
    }),
  ])
  await emit(grown, ...range(1, 100))
  await bus.drain()
  expect((await noteNames(store.read)).at(-1)).toBe("049")
  expect(records).toMatchObject([
    { level: "warn", fields: { subscriber: "a", signal: "plant.grown", reason: "50 is too much." } },
  ])
  broken = false
  await store.clock.advance(200)
  await bus.drain()
  expect(await noteNames(store.read)).toEqual(range(1, 100).map((number) => String(number).padStart(3, "0")))
  await store.close()
})

test("a signal that keeps failing is tried five times with growing delays, then skipped, and the rest continues", async () => {
  const store = await openTestStore(folder())
  const tries: number[] = []
  const handled: number[] = []
  const started = store.clock.now()
  const { bus, emit, records } = await startBus(store, [
    listener("a", (numbers) => {
      if (numbers.includes(2)) {
        if (numbers.length === 1) tries.push(store.clock.now() - started)
        throw new Error("2 is odd enough.")
      }
      handled.push(...numbers)
    }),
  ])
  await emit(grown, 1, 2, 3)
  for (let at = 0; at < 20_000; at += 100) {
    await bus.drain()
    await store.clock.advance(100)
  }
  expect(tries).toEqual([0, 200, 1_000, 4_200, 17_000])
  expect(handled).toEqual([1, 3])
  expect(await parkedSignals(store)).toMatchObject([
    {
      subscriber: "a",
      name: "plant.grown",
      projectId: "p",
      payload: { number: 2 },
      error: "2 is odd enough.",
      createdAt: started,
      parkedAt: started + 17_000,
    },
  ])
  expect(records.map(({ level }) => level)).toEqual(["warn", "warn", "warn", "warn", "error"])
  expect(records.at(-1)?.fields).toMatchObject({ subscriber: "a", reason: "2 is odd enough." })
  await emit(grown, 4)
  await bus.drain()
  expect(handled).toEqual([1, 3, 4])
  await store.close()
})

test("while a signal is delayed later signals wait, to keep their order", async () => {
  const store = await openTestStore(folder())
  let broken = true
  const handled: number[] = []
  const { bus, emit } = await startBus(store, [
    listener("a", (numbers) => {
      if (broken && numbers.includes(1)) throw new Error("Not now.")
      handled.push(...numbers)
    }),
  ])
  await emit(grown, 1, 2)
  await bus.drain()
  await emit(grown, 3)
  await bus.drain()
  expect(handled).toEqual([])
  broken = false
  await store.clock.advance(199)
  await bus.drain()
  expect(handled).toEqual([])
  await store.clock.advance(1)
  await bus.drain()
  expect(handled).toEqual([1, 2, 3])
  await store.close()
})

test("failures count for one signal only: each has its own five attempts", async () => {
  const store = await openTestStore(folder())
  const failuresLeft = new Map([1, 2, 3].map((number) => [number, 4]))
  const handled: number[] = []
  const { bus, emit } = await startBus(store, [
    listener("a", (numbers) => {
      const [number = 0] = numbers
      const left = failuresLeft.get(number) ?? 0
      if (numbers.length > 1) throw new Error("One by one.")
      failuresLeft.set(number, left - 1)
      if (left > 0) throw new Error("Not now.")
      handled.push(number)
    }),
  ])
  await emit(grown, 1, 2, 3)
  for (let at = 0; at < 20; at++) {
    await bus.drain()
    await store.clock.advance(12_800)
  }
  expect(handled).toEqual([1, 2, 3])
  expect(await parkedSignals(store)).toEqual([])
  await store.close()
})

test("the number of attempts survives a restart", async () => {
  const home = folder()
  let store = await openTestStore(home)
  const { clock } = store
  const failing = listener("a", () => {
    throw new Error("Never.")
  })
  const first = await startBus(store, [failing])
  await first.emit(grown, 1)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { bus } = await startBus(store, [failing])
    await bus.drain()
    expect((await parkedSignals(store)).length).toBe(attempt === 5 ? 1 : 0)
    await clock.advance(12_800)
    await store.close()
    store = await openTestStore(home, clock)
  }
  await store.close()
})

test("a failing subscriber does not delay another", async () => {
  const store = await openTestStore(folder())
  const handled: number[] = []
  const { bus, emit } = await startBus(store, [
    listener("broken", () => {
      throw new Error("Never.")
    }),
    listener("whole", (numbers) => void handled.push(...numbers)),
  ])
  await emit(grown, 1, 2)
  await bus.drain()
  expect(handled).toEqual([1, 2])
  await store.close()
})

test("a reaction that awaits something other than the store fails, and is rolled back", async () => {
  const store = await openTestStore(folder())
  const { bus, emit, records } = await startBus(store, [
    listener("a", async (_, unit) => {
      await addNote(unit, "lost")
      await new Promise(setImmediate)
    }),
  ])
  await emit(grown, 1)
  await bus.drain()
  expect(await noteNames(store.read)).toEqual([])
  expect(records[0]?.fields.reason).toContain("awaited something other than the store")
  await store.close()
})

test.each([1, 2])("faults of the store are not failures of a signal (%d waiting)", async (waiting) => {
  const store = await openTestStore(folder())
  const { bus, emit, records } = await startBus(store, [
    listener("a", (numbers, unit) => addNote(unit, numbers.join(" ").padEnd(100_000)).then(() => {})),
  ])
  await emit(grown, ...range(1, waiting))
  await fillDisk(store)
  for (let at = 0; at < 10; at++) {
    await expect(bus.drain()).rejects.toMatchObject({ kind: "unavailable" })
    await store.clock.advance(60_000)
  }
  await freeDisk(store)
  await bus.drain()
  expect((await noteNames(store.read)).map((name) => name.trim())).toEqual([range(1, waiting).join(" ")])
  expect([records, await parkedSignals(store)]).toEqual([[], []])
  await store.close()
})

test("an ordinary refusal in a reaction counts as a failure", async () => {
  const store = await openTestStore(folder())
  const { bus, emit, records } = await startBus(store, [
    listener("a", () => {
      throw new DomainError("conflict", "CONFLICT", "Somebody else was quicker.")
    }),
  ])
  await emit(grown, 1)
  await bus.drain()
  expect(records).toMatchObject([{ level: "warn", fields: { reason: "Somebody else was quicker." } }])
  await bus.prune()
  expect(await storedSignals(store)).toEqual([1])
  await store.close()
})

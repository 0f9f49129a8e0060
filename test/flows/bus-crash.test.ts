import { expect, test } from "bun:test"
import { range, startBus } from "../harness/bus.ts"
import { noteNames, openTestStore, scratch } from "../harness/store.ts"
import { amount, killAmidst, noteOf, noteWriter } from "../harness/victim.ts"

const folder = scratch()

test("after kill -9 in the middle each signal has been handled exactly once, in order", async () => {
  const home = folder()
  await killAmidst("bus", home, (said) => said.length >= 3)
  const store = await openTestStore(home)
  const before = await noteNames(store.read)
  expect(before.length).toBeWithin(1, amount)
  expect(before).toEqual(range(1, before.length).map(noteOf))
  const told: number[] = []
  const { bus } = await startBus(store, [noteWriter({ told: (count) => told.push(count) })])
  expect(await bus.drain()).toBe(amount - before.length)
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(amount - before.length)
  expect(await noteNames(store.read)).toEqual(range(1, amount).map(noteOf))
  await store.close()
})

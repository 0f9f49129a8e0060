import { expect, test } from "bun:test"
import { createMemoryReturn } from "../../src/modules/instance/memory.ts"
import { createPoll } from "../../src/store/poll.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const megabyte = 1_048_576

/** A store whose commits the test counts up. */
const fakeStore = () => ({
  commits: 1,
  given: 0,
  changes() {
    return this.commits
  },
  releaseMemory() {
    this.given++
  },
})

test("a poll works after commits, at its time, and after a failure, and else leaves the database alone", async () => {
  const store = fakeStore()
  const clock = createFakeClock()
  let nextAt: number | undefined
  let works = 0
  const poll = createPoll({ store, clock }, async () => nextAt)
  const look = async () => {
    const before = works
    await poll(async () => works++)
    return works - before
  }
  expect([await look(), await look()]).toEqual([1, 0])
  store.commits++
  nextAt = clock.now() + 5_000
  expect([await look(), await look()]).toEqual([1, 0])
  await clock.advance(4_999)
  expect(await look()).toBe(0)
  await clock.advance(1)
  nextAt = undefined
  expect([await look(), await look()]).toEqual([1, 0])
  store.commits++
  await expect(poll(() => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk")
  expect([await look(), await look()]).toEqual([1, 0])
})

test("a commit while a poll works is work for the next", async () => {
  const store = fakeStore()
  const poll = createPoll({ store, clock: createFakeClock() }, async () => undefined)
  let works = 0
  const work = async () => {
    if (works++ === 0) store.commits++
  }
  for (let n = 0; n < 3; n++) await poll(work)
  expect(works).toBe(2)
})

test("memory is given back once after ten quiet seconds, and again only when it has grown", async () => {
  const store = fakeStore()
  const clock = createFakeClock()
  let resident = 200 * megabyte
  const releaseMemory = createMemoryReturn(
    { store, clock },
    { resident: () => resident, collect: () => (resident = 100 * megabyte) },
  )
  const quiet = async (ms: number) => {
    releaseMemory()
    await clock.advance(ms)
    releaseMemory()
    return store.given
  }
  expect(await quiet(9_999)).toBe(0)
  expect(await quiet(1)).toBe(1)
  resident = 150 * megabyte
  expect(await quiet(60_000)).toBe(1)
  store.commits++
  expect(await quiet(10_000)).toBe(2)
  resident = 105 * megabyte
  store.commits++
  expect(await quiet(10_000)).toBe(2)
})

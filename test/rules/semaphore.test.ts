import { expect, test } from "bun:test"
import { createSemaphore } from "../../src/kernel/semaphore.ts"

test("a semaphore grants its permits, and the next ones in the order of requests", async () => {
  const semaphore = createSemaphore(2)
  const acquired: string[] = []
  const acquire = (name: string) => semaphore.acquire().then(() => acquired.push(name))
  const all = Promise.all(["a", "b", "c", "d"].map(acquire))
  await Promise.resolve()
  expect(acquired).toEqual(["a", "b"])
  semaphore.release()
  semaphore.release()
  await all
  expect(acquired).toEqual(["a", "b", "c", "d"])
})

test("a wait that is aborted takes no permit", async () => {
  const semaphore = createSemaphore(1)
  const abort = new AbortController()
  expect(await semaphore.acquire()).toBe(true)
  const first = semaphore.acquire(abort.signal)
  const second = semaphore.acquire()
  abort.abort()
  expect(await first).toBe(false)
  semaphore.release()
  expect(await second).toBe(true)
})

test("a signal that has aborted already gets no permit, and a free one stays free", async () => {
  const semaphore = createSemaphore(1)
  expect(await semaphore.acquire(AbortSignal.abort())).toBe(false)
  expect(await semaphore.acquire(new AbortController().signal)).toBe(true)
})

test("an abort after the permit was acquired changes nothing", async () => {
  const semaphore = createSemaphore(1)
  const abort = new AbortController()
  await semaphore.acquire()
  const next = semaphore.acquire(abort.signal)
  semaphore.release()
  abort.abort()
  expect(await next).toBe(true)
  semaphore.release()
  expect(await semaphore.acquire()).toBe(true)
})

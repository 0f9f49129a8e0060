import { expect, test } from "bun:test"
import { second } from "../../src/kernel/clock.ts"
import { createTimeLimit } from "../../src/kernel/time-limit.ts"

/** Starts work with a time limit of 10 seconds. */
function limitedWork() {
  let now = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const clock = {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => void sleepers.push({ at: now + ms, wake })),
  }
  /** Time passes in which nothing runs; those who slept meanwhile wake afterwards, all at once. */
  async function standStill(ms: number): Promise<void> {
    now += ms
    const woken = sleepers.filter(({ at }) => at <= now)
    sleepers = sleepers.filter(({ at }) => at > now)
    for (const { wake } of woken) wake()
    await new Promise(setImmediate)
  }
  const limit = createTimeLimit(clock, 10 * second, () => new Error("too late"), new AbortController().signal)
  const work = Promise.withResolvers<string>()
  const outcome = limit(work.promise).catch((cause: Error) => cause.message)
  return { standStill, work, outcome }
}

test("an answer that is read right after a standstill beyond the time limit counts, contract A4.5.6", async () => {
  const { standStill, work, outcome } = limitedWork()
  await standStill(60 * second)
  work.resolve("done")
  expect(await outcome).toBe("done")
})

test("without an answer then, the work is given up", async () => {
  const { standStill, work, outcome } = limitedWork()
  await standStill(60 * second)
  await standStill(second)
  work.resolve("done")
  expect(await outcome).toBe("too late")
})

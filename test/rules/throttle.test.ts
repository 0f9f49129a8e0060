import { expect, test } from "bun:test"
import { createThrottle } from "../../src/modules/emails/delivery/throttle.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

/** Takes all that may go. */
function drain(throttle: ReturnType<typeof createThrottle>, key = "a", wanted = 1_000): number {
  const count = throttle.available(key, wanted)
  throttle.take(key, count)
  return count
}

test("the amount of one second is granted at once, then nothing until time passes", async () => {
  const clock = createFakeClock()
  const throttle = createThrottle(100, clock)
  expect(drain(throttle)).toBe(100)
  expect(drain(throttle)).toBe(0)
  await clock.advance(500)
  expect(drain(throttle)).toBe(50)
  await clock.advance(1_000)
  expect(drain(throttle)).toBe(100)
})

test("unused amounts accumulate for one second at most", async () => {
  const clock = createFakeClock()
  const throttle = createThrottle(100, clock)
  await clock.advance(3_600_000)
  expect(drain(throttle)).toBe(100)
})

test.each([1, 3, 7, 14, 100, 1_000])(
  "over a minute at %d a second hardly fewer go, and no more but a second's worth",
  async (rate) => {
    const clock = createFakeClock()
    const throttle = createThrottle(rate, clock)
    let sent = drain(throttle)
    for (let at = 0; at < 60_000; at += 25) {
      await clock.advance(25)
      sent += drain(throttle)
    }
    expect(sent).toBeLessThanOrEqual(61 * rate)
    expect(sent).toBeGreaterThanOrEqual(59 * rate)
  },
)

test.each([1.5, 1.9, 2.5])("a rate of %d a second is reached also when it is looked at once a second", async (rate) => {
  const clock = createFakeClock()
  const throttle = createThrottle(rate, clock)
  let sent = drain(throttle)
  for (let second = 0; second < 60; second++) {
    await clock.advance(1_000)
    const count = drain(throttle)
    expect(count).toBeLessThanOrEqual(Math.ceil(rate))
    sent += count
  }
  expect(sent).toBeGreaterThanOrEqual(60 * rate)
  expect(sent).toBeLessThanOrEqual(62 * rate)
})

test("a rate below one a second grants one at intervals", async () => {
  const clock = createFakeClock()
  const throttle = createThrottle(0.5, clock)
  expect(drain(throttle)).toBe(1)
  await clock.advance(1_999)
  expect(drain(throttle)).toBe(0)
  await clock.advance(1)
  expect(drain(throttle)).toBe(1)
})

test("each key has its own limit, and no more is granted than requested", () => {
  const throttle = createThrottle(10, createFakeClock())
  expect(drain(throttle, "a", 4)).toBe(4)
  expect(drain(throttle, "b")).toBe(10)
  expect(drain(throttle, "a")).toBe(6)
})

test("each of very many keys has its own limit too, also when those that rest are forgotten", async () => {
  const clock = createFakeClock()
  const throttle = createThrottle(10, clock)
  const keys = Array.from({ length: 2_500 }, (_, at) => `k${at}`)
  for (const key of keys.slice(0, 900)) drain(throttle, key)
  await clock.advance(1_000)
  for (const key of keys.slice(600)) expect(drain(throttle, key)).toBe(10)
  for (const key of keys.slice(600)) expect(drain(throttle, key)).toBe(0)
  for (const key of keys.slice(0, 600)) expect(drain(throttle, key)).toBe(10)
})

test("0 is no limit", () => {
  const throttle = createThrottle(0, createFakeClock())
  expect([drain(throttle, "a", 1_000_000), drain(throttle, "a", 1_000_000)]).toEqual([1_000_000, 1_000_000])
})

test("a clock that is set back grants nothing extra and delays nothing for long", async () => {
  const clock = createFakeClock()
  const throttle = createThrottle(10, clock)
  expect(drain(throttle)).toBe(10)
  let now = clock.now()
  const moved = createThrottle(10, { ...clock, now: () => now })
  expect(drain(moved)).toBe(10)
  now -= 3_600_000
  expect(drain(moved)).toBe(0)
  now += 1_000
  expect(drain(moved)).toBe(10)
})

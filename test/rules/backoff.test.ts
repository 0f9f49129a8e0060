import { expect, test } from "bun:test"
import { backoff } from "../../src/jobs/backoff.ts"

const almostOne = 1 - Number.EPSILON

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [6, 160_000],
  [10, 2_560_000],
  [11, 3_600_000],
  [50, 3_600_000],
  [2_000, 3_600_000],
])("after attempt %d the delay is %d ms, varied by up to a fifth", (attempt, plain) => {
  expect(backoff(attempt, 0.5)).toBe(plain)
  expect(backoff(attempt, 0)).toBe(plain * 0.8)
  expect(backoff(attempt, almostOne)).toBe(plain * 1.2)
  for (let random = 0; random < 1; random += 0.01) {
    expect(backoff(attempt, random)).toBeWithin(plain * 0.8, plain * 1.2 + 1)
    expect(Number.isInteger(backoff(attempt, random))).toBe(true)
  }
})

test("jobs that failed together are not retried together", () => {
  const rests = new Set(Array.from({ length: 100 }, (_, at) => backoff(1, at / 100)))
  expect(rests.size).toBe(100)
})

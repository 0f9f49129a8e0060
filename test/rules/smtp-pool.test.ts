import { expect, jest, test } from "bun:test"
import { SmtpFailure } from "../../plugins/smtp/failure.ts"
import { createPool } from "../../plugins/smtp/pool.ts"
import type { Session } from "../../plugins/smtp/session.ts"

const never = new AbortController().signal

test("A connection that is renewed is closed before the next one is opened", async () => {
  const ended = Promise.withResolvers<void>()
  let opened = 0
  const worn: Session = {
    used: 1_000,
    alive: true,
    deliver: () => Promise.reject(new Error("not of this test")),
    end: () => ended.promise,
  }
  const pool = createPool(1, async () => {
    opened++
    return worn
  })
  pool.give(await pool.take(never), true)
  const next = pool.take(never)
  await new Promise(setImmediate)
  expect(opened).toBe(1)
  ended.resolve()
  await next
  expect(opened).toBe(2)
})

test("A connection that a server refused beside another is asked for again after a minute", async () => {
  jest.useFakeTimers()
  try {
    let opened = 0
    const pool = createPool(2, async () => {
      if (++opened === 2) throw new SmtpFailure("reply", "421 too many connections", 421)
      return { used: 0, alive: true, deliver: () => Promise.reject(new Error("not of this test")), end: async () => {} }
    })
    const first = await pool.take(never)
    const second = pool.take(never)
    while (opened < 2) await Promise.resolve()
    pool.give(first, true)
    expect(await second).toBe(first)
    const third = pool.take(never)
    jest.advanceTimersByTime(59_000)
    expect(opened).toBe(2)
    jest.advanceTimersByTime(1_000)
    await third
    expect(opened).toBe(3)
  } finally {
    jest.useRealTimers()
  }
})

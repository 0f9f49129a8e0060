import { expect, test } from "bun:test"
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

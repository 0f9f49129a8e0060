import { expect, jest, test } from "bun:test"
import { SmtpFailure } from "../../plugins/smtp/failure.ts"
import { createPool } from "../../plugins/smtp/pool.ts"
import type { Session } from "../../plugins/smtp/session.ts"

const never = new AbortController().signal

/** Connections that are only counted: which were opened, in order, and which of them were ended. */
function connections() {
  const ended: Session[] = []
  const opened: (Session & { alive: boolean })[] = []
  const open = async (): Promise<Session> => {
    const session = {
      used: 0,
      alive: true,
      deliver: () => Promise.reject(new Error("not of this test")),
      end: async () => void ended.push(session),
    }
    opened.push(session)
    return session
  }
  return { opened, ended, open }
}

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

test("A connection is ended when it was idle for half a minute, and never while it is in use", async () => {
  jest.useFakeTimers()
  try {
    const { opened, ended, open } = connections()
    const pool = createPool(2, open)
    const [first, second] = [await pool.take(never), await pool.take(never)]
    pool.give(first, true)
    pool.give(second, true)
    jest.advanceTimersByTime(29_000)
    expect(await pool.take(never)).toBe(second)
    jest.advanceTimersByTime(60_000)
    expect(ended).toEqual([first])
    pool.give(second, true)
    // What the server has closed meanwhile is no connection any more.
    for (const session of opened) session.alive = false
    expect(await pool.take(never)).not.toBe(second)
    expect(opened).toHaveLength(3)
  } finally {
    jest.useRealTimers()
  }
})

test("Connections that were dropped leave the later ones alone, and a closed pool keeps none", async () => {
  jest.useFakeTimers()
  try {
    const { opened, ended, open } = connections()
    const pool = createPool(2, open)
    pool.give(await pool.take(never), true)
    jest.advanceTimersByTime(10_000)
    await pool.dropIdle()
    const later = await pool.take(never)
    pool.give(later, true)
    jest.advanceTimersByTime(25_000)
    expect(await pool.take(never)).toBe(later)
    expect(ended).toEqual(opened.slice(0, 1))
    await pool.close()
    pool.give(later, true)
    expect(ended).toEqual(opened)
  } finally {
    jest.useRealTimers()
  }
})

test("A slot that was paused comes back once, whether its minute is over or no connection is left", async () => {
  jest.useFakeTimers()
  try {
    const { opened, open } = connections()
    let refusal: SmtpFailure | undefined
    const pool = createPool(2, () => (refusal ? Promise.reject(refusal) : open()))
    const tooMany = new SmtpFailure("reply", "421 too many connections", 421)
    /** Pauses one of the two slots while the other is in use; resolves to the session that is in use. */
    async function pauseOne(): Promise<Session> {
      const inUse = await pool.take(never)
      refusal = tooMany
      const waiting = pool.take(never)
      await new Promise(setImmediate)
      refusal = undefined
      pool.give(inUse, true)
      return waiting
    }
    /** Ends all: no connection is left, and none can be opened. */
    async function loseAll(session: Session): Promise<void> {
      for (const one of opened) one.alive = false
      pool.give(session, false)
      refusal = new SmtpFailure("closed", "connection refused")
      await expect(pool.take(never)).rejects.toThrow("connection refused")
      refusal = undefined
    }
    await loseAll(await pauseOne())
    jest.advanceTimersByTime(60_000)
    const second = await pauseOne()
    jest.advanceTimersByTime(60_000)
    await loseAll(second)
    const before = opened.length
    for (let takes = 0; takes < 5; takes++) void pool.take(never)
    await new Promise(setImmediate)
    expect(opened.length - before).toBe(2)
  } finally {
    jest.useRealTimers()
  }
})

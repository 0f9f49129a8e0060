import { expect, test } from "bun:test"
import { createClockTurner, type Part } from "../../src/clock-turn.ts"
import { hour, minute } from "../../src/kernel/clock.ts"
import type { Loop } from "../../src/kernel/loop.ts"
import { createManualClock } from "../../src/kernel/manual-clock.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const start = Date.parse("2026-01-31T09:15:00.000Z")

interface Options {
  /** The times that work done at this time plans. */
  readonly plan?: (at: number) => number[]
  readonly limits?: { readonly stops: number; readonly ms: number }
  /** Before this much real time has passed, no work can be done. */
  readonly heldMs?: number
}

/**
 * A clock, and one part with work due at these times; `done` has the times at which it was done. All are in ms after
 * the start.
 */
function clockWith(times: number[], { plan = () => [], limits, heldMs = 0 }: Options = {}) {
  const realClock = createFakeClock(start)
  const kept: number[] = []
  const clock = createManualClock(start, realClock, (at) => kept.push(at - start))
  const due = times.map((at) => start + at)
  const done: number[] = []
  const loop = { paused: 0, calls: [] as string[] }
  const part: Part = {
    loop: {
      start() {},
      wake() {},
      async pause() {
        loop.calls.push("pause")
      },
      resume: () => void loop.calls.push("resume"),
      stop: async () => {},
    } satisfies Loop,
    async drain() {
      if (realClock.now() - start < heldMs) return 0
      const now = due.filter((at) => at <= clock.now())
      for (const at of now) {
        due.splice(due.indexOf(at), 1)
        done.push(clock.now() - start)
        due.push(...plan(at - start).map((later) => start + later))
      }
      return now.length
    },
    nextDueAt: async () => (due.length > 0 ? Math.min(...due) : undefined),
  }
  const turner = createClockTurner({ clock, realClock, parts: () => [part] }, limits)
  const turnTo = (at: number) => turner.run((turn) => turn(start + at))
  return { clock, realClock, turner, turnTo, done, kept, loop, stands: () => clock.now() - start }
}

test("work is done at its time, also work that is planned on the way, and the loops rest meanwhile", async () => {
  const { turnTo, done, loop, stands } = clockWith([3 * hour, hour], {
    plan: (at) => (at < 2 * hour ? [at + 90 * minute] : []),
  })
  expect(await turnTo(2 * hour)).toBe(true)
  expect([done, stands()]).toEqual([[hour], 2 * hour])
  expect(await turnTo(4 * hour)).toBe(true)
  expect([done, stands()]).toEqual([[hour, 2.5 * hour, 3 * hour], 4 * hour])
  expect(loop.calls).toEqual(["pause", "resume", "pause", "resume"])
})

test("a turn ends after so many stops where it stands, and the next one goes on there", async () => {
  const { turnTo, done, stands } = clockWith([0], { plan: (at) => [at + minute], limits: { stops: 10, ms: 60_000 } })
  expect(await turnTo(hour)).toBe(false)
  expect([stands(), done.length]).toEqual([10 * minute, 11])
  for (let turns = 0; turns < 4; turns++) expect(await turnTo(hour)).toBe(false)
  expect(await turnTo(hour)).toBe(true)
  expect([stands(), done.length]).toEqual([hour, 61])
})

test("a turn ends when its real time is over, after the stop that it is at", async () => {
  const { turnTo, stands, done } = clockWith([minute, hour], { limits: { stops: 100, ms: 0 } })
  expect(await turnTo(2 * hour)).toBe(false)
  expect([stands(), done]).toEqual([0, []])
})

test("a turn ends when work at one time does not end", async () => {
  const { turnTo, stands, done } = clockWith([hour], { plan: (at) => [at], limits: { stops: 10, ms: 20 } })
  expect(await turnTo(2 * hour)).toBe(false)
  expect([stands(), new Set(done)]).toEqual([hour, new Set([hour])])
})

test("the clock does not pass work that cannot be done yet", async () => {
  const { turnTo, realClock, stands, done } = clockWith([hour], { heldMs: 200 })
  const turning = turnTo(2 * hour)
  const pass = async (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      await new Promise(setImmediate)
      await realClock.advance(20)
    }
  }
  await pass(9)
  expect([stands(), done]).toEqual([hour, []])
  await pass(9)
  expect(await turning).toBe(true)
  expect([stands(), done]).toEqual([2 * hour, [hour]])
})

test("every time is kept before it is seen, and turns wait for each other", async () => {
  const { turnTo, turner, clock, kept, stands } = clockWith([minute])
  const seen = await Promise.all([
    turnTo(hour).then(stands),
    turner.run(async (turn) => (await turn(clock.now() + hour)) && stands()),
  ])
  expect(seen).toEqual([hour, 2 * hour])
  expect(kept).toEqual([minute, hour, 2 * hour])
})

test("a turn that is stopped stands where it is", async () => {
  const { turner, turnTo, stands } = clockWith([0], {
    plan(at) {
      if (at === 5 * minute) turner.stop()
      return [at + minute]
    },
  })
  expect(await turnTo(hour)).toBe(false)
  expect(stands()).toBe(5 * minute)
})

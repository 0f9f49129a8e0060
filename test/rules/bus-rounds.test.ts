import { expect, test } from "bun:test"
import type { Consumer } from "../../src/bus/consumer.ts"
import { createRounds } from "../../src/bus/rounds.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

/** The number of signals of a subscriber that cannot read them. */
const unreadable = -1

/** Subscribers that note when they are asked, and how many signals each still has. */
function rounds(...given: { name: string; on: string; batchDelayMs?: number; longestDelayMs?: number }[]) {
  const clock = createFakeClock()
  const asked: string[] = []
  const left = new Map<string, number>()
  const consumers = given.map(({ name, on, batchDelayMs = 0, longestDelayMs = batchDelayMs }): Consumer => {
    const unused = () => expect.unreachable()
    return {
      ...{ name, names: [on], atOnce: 10, batchDelayMs, longestDelayMs },
      ...{ open: unused, behindSince: unused, skipSilence: unused },
      async catchUp() {
        asked.push(name)
        if (left.get(name) === unreadable) throw new Error("no disk")
        const passed = Math.min(10, left.get(name) ?? 0)
        left.set(name, (left.get(name) ?? 0) - passed)
        return passed
      },
    }
  })
  let wakes = 0
  let isQuiet = false
  const it = createRounds(consumers, {
    clock,
    poll: async (work) => void (isQuiet || (await work())),
    wake: () => wakes++,
  })
  const { signal } = new AbortController()
  return {
    clock,
    /** Nothing is committed from now on. */
    becomeQuiet: () => {
      isQuiet = true
    },
    becomeBusy: () => {
      isQuiet = false
    },
    emit(name: string, subscriber: string, signals: number) {
      left.set(subscriber, (left.get(subscriber) ?? 0) + signals)
      it.emitted(name)
    },
    drain: it.drain,
    /** Who was asked in a step of the loop. */
    async step(): Promise<string[]> {
      await it.step(signal)
      return asked.splice(0)
    },
    wakes: () => wakes,
  }
}

test("a step asks subscribers that have signals, and now and then all of them", async () => {
  const { step, emit, wakes, clock } = rounds({ name: "a", on: "grown" }, { name: "b", on: "cut" })
  expect(await step()).toEqual(["a", "b"])
  expect(await step()).toEqual([])
  emit("cut", "b", 12)
  expect(wakes()).toBe(1)
  expect(await step()).toEqual(["b", "b", "b"])
  await clock.advance(1_000)
  expect(await step()).toEqual(["a", "b"])
})

test("while nothing is committed no timer runs, and everybody is asked after the next commit", async () => {
  const { step, becomeQuiet, becomeBusy, clock } = rounds({ name: "a", on: "grown" })
  await step()
  await clock.advance(1_000)
  becomeQuiet()
  expect([await step(), clock.sleepers]).toEqual([[], 0])
  becomeBusy()
  expect([await step(), clock.sleepers]).toEqual([["a"], 1])
  expect(await step()).toEqual([])
})

test("a subscriber with a batch delay is asked at once, then left alone, and woken for what came meanwhile", async () => {
  const { step, emit, wakes, clock } = rounds({ name: "a", on: "grown", batchDelayMs: 250 })
  await step()
  emit("grown", "a", 1)
  expect([wakes(), await step()]).toEqual([1, ["a"]])
  emit("grown", "a", 1)
  emit("grown", "a", 1)
  await clock.advance(249)
  expect([wakes(), await step()]).toEqual([1, []])
  await clock.advance(1)
  expect([wakes(), await step()]).toEqual([2, ["a"]])
})

test("a subscriber with a full batch goes on at once", async () => {
  const { step, emit } = rounds({ name: "a", on: "grown", batchDelayMs: 250 })
  await step()
  emit("grown", "a", 25)
  expect(await step()).toEqual(["a", "a", "a"])
})

test("a subscriber that lets a burst pass is asked when no whole batch came in a delay, or after the longest delay", async () => {
  const { step, emit, wakes, clock } = rounds({ name: "a", on: "grown", batchDelayMs: 250, longestDelayMs: 1_000 })
  const burst = (signals: number) => {
    for (let n = 0; n < signals; n++) emit("grown", "a", 1)
  }
  await step()
  emit("grown", "a", 1)
  expect(await step()).toEqual(["a"])
  for (let passed = 250; passed <= 750; passed += 250) {
    burst(10)
    await clock.advance(250)
    expect([passed, wakes(), await step()]).toEqual([passed, 1, []])
  }
  burst(10)
  await clock.advance(250)
  expect([wakes(), await step()]).toEqual([2, ["a", "a", "a", "a", "a"]])

  emit("grown", "a", 1)
  expect(await step()).toEqual(["a"])
  burst(10)
  await clock.advance(250)
  expect(await step()).toEqual([])
  burst(9)
  await clock.advance(250)
  expect(await step()).toEqual(["a", "a"])
})

test("draining leaves nobody alone", async () => {
  const { step, emit, drain } = rounds({ name: "a", on: "grown", batchDelayMs: 250 })
  emit("grown", "a", 1)
  await step()
  emit("grown", "a", 3)
  expect(await drain()).toBe(3)
})

test("a subscriber whose signals cannot be read is asked again, also while nothing is committed", async () => {
  const { step, emit, becomeQuiet, clock } = rounds({ name: "a", on: "grown" }, { name: "b", on: "cut" })
  await step()
  becomeQuiet()
  emit("grown", "a", -1)
  for (let n = 0; n < 2; n++) await expect(step()).rejects.toThrow("no disk")
  emit("grown", "a", 4)
  await clock.advance(1_000)
  expect(await step()).toEqual(["a", "a", "a", "a"])
})

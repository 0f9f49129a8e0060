import { expect, test } from "bun:test"
import { malformed } from "../../src/kernel/errors.ts"
import { createTimeBudget } from "../../src/kernel/time-budget.ts"
import { createWorkThreads } from "../../src/kernel/work-threads.ts"

/** A clock that the test moves, for what is due later. */
function movedBy() {
  let now = 0
  let waiting: { at: number; callback: () => void }[] = []
  return {
    now: () => now,
    later: (callback: () => void, ms: number) => void waiting.push({ at: now + ms, callback }),
    move(ms: number) {
      now += ms
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
    },
  }
}

/** A thread that answers when the test tells it to. */
function threadsByHand() {
  const asked: { question: string; answer: () => void; fail: () => void }[] = []
  const ended: unknown[] = []
  const start = () => {
    const thread = {
      onmessage: (_: { data: unknown }) => {},
      onerror: (_: { message: string }) => {},
      postMessage: (question: string) =>
        asked.push({
          question,
          answer: () => thread.onmessage({ data: { value: question } }),
          fail: () => thread.onerror({ message: "it broke" }),
        }),
      terminate: () => void ended.push(thread),
    }
    return thread as unknown as Worker
  }
  return { asked, ended, start }
}

const tooSlow = () => malformed("Too slow.")

test("a project uses half of each second, and what it did not use before up to a burst", () => {
  const clock = movedBy()
  const budget = createTimeBudget({ share: 0.5, burstMs: 1_000, ...clock })
  const free: string[] = []
  const ask = (projectId: string) => budget.whenFree(projectId, () => free.push(projectId))

  budget.spend("a", 1_000)
  ask("a")
  expect(free).toEqual(["a"])
  budget.spend("a", 300)
  ask("a")
  ask("b")
  expect(free).toEqual(["a", "b"])
  clock.move(599)
  expect(free).toEqual(["a", "b"])
  clock.move(1)
  expect(free).toEqual(["a", "b", "a"])

  clock.move(60_000)
  budget.spend("a", 1_001)
  ask("a")
  expect(free).toHaveLength(3)
  clock.move(2)
  expect(free).toHaveLength(4)
})

test("only projects with a debt are kept in memory", () => {
  const clock = movedBy()
  const budget = createTimeBudget({ share: 0.5, burstMs: 10, ...clock })
  let free = 0
  for (let round = 0; round < 5_000; round++) {
    budget.spend(`p${round}`, 20)
    budget.whenFree(`p${round}`, () => free++)
    clock.move(1)
  }
  expect(free).toBeGreaterThan(4_900)
})

test("the work of a project that used up its budget waits, and that of others does not", async () => {
  const { asked, start } = threadsByHand()
  const paused = new Map<string, () => void>()
  const spent: string[] = []
  const budget = {
    spend: (projectId: string) => void spent.push(projectId),
    whenFree: (projectId: string, callback: () => void) =>
      projectId === "noisy" ? void paused.set(projectId, callback) : callback(),
  }
  const threads = createWorkThreads<string, string>({ start, limitMs: 60_000, tooSlow, budget })
  const questions = () => asked.map(({ question }) => question)
  const first = threads.run("noisy 1", "noisy")
  const second = threads.run("noisy 2", "noisy")
  expect(questions()).toEqual(["noisy 1"])
  asked[0]?.answer()
  expect(await first).toBe("noisy 1")
  expect([questions(), spent]).toEqual([["noisy 1"], ["noisy"]])

  for (const name of ["quiet 1", "quiet 2"]) {
    const answer = threads.run(name, "quiet")
    asked.at(-1)?.answer()
    expect(await answer).toBe(name)
  }
  expect(questions()).toEqual(["noisy 1", "quiet 1", "quiet 2"])
  paused.get("noisy")?.()
  asked.at(-1)?.answer()
  expect(await second).toBe("noisy 2")
})

test("work that cannot be handed to a thread is refused, and what waits goes on", async () => {
  const { asked, ended, start } = threadsByHand()
  const startDeaf = () => {
    const thread = start()
    const { postMessage } = thread
    const hand = (question: string) => {
      if (question === "unsendable") throw new Error("could not be cloned")
      postMessage(question)
    }
    return Object.assign(thread, { postMessage: hand })
  }
  const threads = createWorkThreads<string, string>({ start: startDeaf, limitMs: 60_000, tooSlow })
  const first = threads.run("first", "any")
  // More than there are threads.
  const others = Array.from({ length: 5 }, () => threads.run("unsendable", "any"))
  const last = threads.run("last", "any")
  asked[0]?.answer()
  for (const other of others) await expect(other).rejects.toThrow("could not be cloned")
  asked[1]?.answer()
  expect([await first, await last]).toEqual(["first", "last"])
  expect(ended).toHaveLength(5)
})

test("a thread that fails fails its work; one that fails while it is idle is replaced", async () => {
  const { asked, ended, start } = threadsByHand()
  const spent: string[] = []
  const budget = {
    spend: (projectId: string) => void spent.push(projectId),
    whenFree: (_: string, callback: () => void) => callback(),
  }
  const threads = createWorkThreads<string, string>({ start, limitMs: 60_000, tooSlow, budget })
  const failing = threads.run("first", "a")
  asked[0]?.fail()
  await expect(failing).rejects.toThrow("it broke")
  const second = threads.run("second", "b")
  asked[1]?.answer()
  await second
  asked[1]?.fail()
  expect([ended.length, spent]).toEqual([2, ["a", "b"]])
  const third = threads.run("third", "c")
  asked[2]?.answer()
  expect(await third).toBe("third")
  expect(ended).toHaveLength(2)
})

test("more than may wait is refused with the time to wait", async () => {
  const { asked, start } = threadsByHand()
  const threads = createWorkThreads<string, string>({
    start,
    limitMs: 60_000,
    tooSlow,
    waiting: { most: 2, what: "tests" },
  })
  const taken = ["1", "2", "3"].map((name) => threads.run(name, "noisy"))
  await expect(threads.run("4", "noisy")).rejects.toMatchObject({
    kind: "too_many",
    message: "Too many tests at a time.",
    extras: { details: { retryAfter: expect.any(Number) } },
  })
  const other = threads.run("other", "quiet")
  for (let at = 0; at < 4; at++) {
    asked[at]?.answer()
    await Promise.resolve()
  }
  expect(await Promise.all([...taken, other])).toEqual(["1", "2", "3", "other"])
})

test("a thread without work ends, and the next work has a new one", async () => {
  const { asked, ended, start } = threadsByHand()
  const threads = createWorkThreads<string, string>({ start, limitMs: 60_000, tooSlow, idleMs: 0 })
  for (const name of ["1", "2"]) {
    const answer = threads.run(name, "any")
    asked.at(-1)?.answer()
    expect(await answer).toBe(name)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  expect(ended).toHaveLength(2)
  expect(new Set(ended).size).toBe(2)
})

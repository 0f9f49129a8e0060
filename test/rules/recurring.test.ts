import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { defineJob, done, handles, type Recurring } from "../../src/jobs/define.ts"
import { createJobs } from "../../src/jobs/jobs.ts"
import { nextRun } from "../../src/jobs/recurring.ts"
import { hour, iso, minute, second } from "../../src/kernel/clock.ts"
import { sequentialIds } from "../harness/ids.ts"
import { openTestStore, recordingLog, scratch, type TestStore } from "../harness/store.ts"

const folder = scratch()
const kindOf = (name: string) => defineJob(name, Type.Object({}))

/** The jobs of a process that starts on this store with this schedule. */
async function start(store: TestStore, ...schedule: Recurring[]) {
  const ran: string[] = []
  const jobs = createJobs({
    store,
    clock: store.clock,
    ids: sequentialIds(),
    log: recordingLog().log,
    random: () => 0.5,
  })
  const handlers = schedule.map(({ kind }) =>
    handles(kind, async () => {
      ran.push(`${kind.name} ${iso(store.clock.now()).slice(11, 19)}`)
      return done
    }),
  )
  jobs.register(handlers, schedule)
  await jobs.open()
  return { jobs, ran }
}

const every = (schedule: Recurring["every"], name = "some.sweep"): Recurring => ({
  kind: kindOf(name),
  every: schedule,
})

test.each([
  ["* * * * *", "2026-01-31T09:15:00.000Z", "2026-01-31T09:16:00.000Z"],
  ["*/10 * * * *", "2026-01-31T09:15:00.000Z", "2026-01-31T09:20:00.000Z"],
  ["*/10 * * * *", "2026-01-31T09:20:00.000Z", "2026-01-31T09:30:00.000Z"],
  ["*/10 * * * *", "2026-01-31T09:19:59.999Z", "2026-01-31T09:20:00.000Z"],
  ["*/5 * * * * *", "2026-01-31T09:15:01.000Z", "2026-01-31T09:15:05.000Z"],
  ["30 0 3 * * *", "2026-01-31T09:15:00.000Z", "2026-02-01T03:00:30.000Z"],
  ["0 3 29 2 *", "2026-01-31T09:15:00.000Z", "2028-02-29T03:00:00.000Z"],
  ["30 2 * * *", "2026-03-29T00:00:00.000Z", "2026-03-29T02:30:00.000Z"],
  [90 * second, "2026-01-31T09:15:00.000Z", "2026-01-31T09:16:30.000Z"],
])("after %s at %s the next time is %s, in UTC", (schedule, now, next) => {
  expect(iso(nextRun(schedule, Date.parse(now)))).toBe(next)
})

test.each(["", "often", "61 * * * *", "* * * * * * * *"])("%j is not a valid schedule", (schedule) => {
  expect(() => nextRun(schedule, 0)).toThrow()
})

test("a schedule that is never due is refused", () => {
  expect(() => nextRun("0 0 30 2 *", 0)).toThrow('The schedule "0 0 30 2 *" never comes.')
})

test("a new entry waits for its first time and then runs at each", async () => {
  const store = await openTestStore(folder())
  const { jobs, ran } = await start(store, every("*/10 * * * *", "one.sweep"), every(7 * minute, "other.sweep"))
  await jobs.drain()
  expect(ran).toEqual([])
  for (let at = 0; at < 20; at++) {
    await store.clock.advance(minute)
    await jobs.drain()
  }
  expect(ran).toEqual(["one.sweep 09:20:00", "other.sweep 09:22:00", "other.sweep 09:29:00", "one.sweep 09:30:00"])
  await store.close()
})

test("missed times are not made up for: one run, then the schedule again", async () => {
  const store = await openTestStore(folder())
  await (await start(store, every("*/10 * * * *"))).jobs.drain()
  await store.clock.advance(5 * hour + 3 * minute)
  const { jobs, ran } = await start(store, every("*/10 * * * *"))
  await jobs.drain()
  await jobs.drain()
  expect(ran).toEqual(["some.sweep 14:18:00"])
  await store.clock.advance(2 * minute)
  await jobs.drain()
  expect(ran).toEqual(["some.sweep 14:18:00", "some.sweep 14:20:00"])
  await store.close()
})

test("a changed schedule is planned again, an unchanged one is not, across restarts", async () => {
  const store = await openTestStore(folder())
  await (await start(store, every(10 * minute, "a.sweep"), every(10 * minute, "b.sweep"))).jobs.drain()
  await store.clock.advance(6 * minute)
  const { jobs, ran } = await start(store, every(5 * minute, "a.sweep"), every(10 * minute, "b.sweep"))
  await jobs.drain()
  await store.clock.advance(4 * minute)
  await jobs.drain()
  expect(ran).toEqual(["b.sweep 09:25:00"])
  await store.clock.advance(minute)
  await jobs.drain()
  expect(ran).toEqual(["b.sweep 09:25:00", "a.sweep 09:26:00"])
  await store.close()
})

test("an entry whose last run is still waiting for another attempt is not added again", async () => {
  const store = await openTestStore(folder())
  let runs = 0
  const { log } = recordingLog()
  const jobs = createJobs({ store, clock: store.clock, ids: sequentialIds(), log, random: () => 0.5 })
  const stubborn = handles(kindOf("some.sweep"), async () => {
    runs++
    throw new Error("Not now.")
  })
  jobs.register([stubborn], [every(second)])
  await jobs.drain()
  for (let at = 0; at < 5; at++) {
    await store.clock.advance(second)
    await jobs.drain()
  }
  expect(runs).toBe(1)
  await store.clock.advance(second)
  await jobs.drain()
  expect(runs).toBe(2)
  await store.close()
})

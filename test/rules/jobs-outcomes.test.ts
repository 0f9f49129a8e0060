import { expect, test } from "bun:test"
import { cancel, done, type Outcome, retry, snooze } from "../../src/jobs/define.ts"
import { jobTable } from "../../src/jobs/table.ts"
import { day, hour, minute, second } from "../../src/kernel/clock.ts"
import { named, runs, startJobs } from "../harness/jobs.ts"
import { addNote, noteNames, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

test("a job that is done is finished and not run again", async () => {
  const store = await openTestStore(folder())
  const ran: string[] = []
  const kind = named()
  const { jobs, add, row } = await startJobs(store, [
    runs(kind, async (name) => {
      ran.push(name)
      return done
    }),
  ])
  await add(kind, "a", "b")
  expect(await jobs.drain()).toBe(2)
  expect(await jobs.drain()).toBe(0)
  expect(ran).toEqual(["a", "b"])
  expect(await row("a")).toMatchObject({
    state: "done",
    attempt: 1,
    error: null,
    leaseUntil: null,
    finishedAt: store.clock.now(),
  })
  await store.close()
})

test("a job is added in the unit of its change, or not at all", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const { jobs, rows } = await startJobs(store, [runs(kind, async () => done)])
  const change = store.write("instance", async (unit) => {
    await addNote(unit, "change")
    await jobs.enqueue(unit, kind, { name: "a" })
    throw new Error("No.")
  })
  await expect(change).rejects.toThrow("No.")
  expect([await noteNames(store.read), await rows("a")]).toEqual([[], []])
  await store.close()
})

test("a payload that does not fit its kind is refused when the job is added", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const { jobs } = await startJobs(store, [])
  const wrong = { nome: "a" } as unknown as { name: string }
  await expect(store.write("instance", (unit) => jobs.enqueue(unit, kind, wrong))).rejects.toThrow(
    "does not fit the job test.run",
  )
  await store.close()
})

test("a job for later waits for its time", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const { jobs, row } = await startJobs(store, [runs(kind, async () => done)])
  await store.write("instance", (unit) => jobs.enqueue(unit, kind, { name: "a" }, { runAt: unit.now + hour }))
  await store.clock.advance(hour - 1)
  expect(await jobs.drain()).toBe(0)
  await store.clock.advance(1)
  expect(await jobs.drain()).toBe(1)
  expect(await row("a")).toMatchObject({ state: "done" })
  await store.close()
})

test("a cancelled job has the reason and does not run again", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const { jobs, add, row } = await startJobs(store, [runs(kind, async () => cancel("The contact is gone."))])
  await add(kind, "a")
  await jobs.drain()
  await store.clock.advance(day)
  expect(await jobs.drain()).toBe(0)
  expect(await row("a")).toMatchObject({
    state: "cancelled",
    error: "The contact is gone.",
    finishedAt: expect.any(Number),
  })
  await store.close()
})

const failures: [string, () => Promise<Outcome>][] = [
  ["asks for a retry", async () => retry("Not yet.")],
  ["throws", () => Promise.reject(new Error("Not yet."))],
  [
    "throws before it becomes a promise",
    () => {
      throw new Error("Not yet.")
    },
  ],
]

test.each(failures)("a job that %s is delayed longer each time and fails with its last attempt", async (_, run) => {
  const store = await openTestStore(folder())
  const kind = named({ attempts: 4 })
  const { jobs, add, row, records } = await startJobs(store, [runs(kind, run)])
  await add(kind, "a")
  const rests: number[] = []
  for (let attempt = 1; attempt < 4; attempt++) {
    expect(await jobs.drain()).toBe(1)
    const job = await row("a")
    expect(job).toMatchObject({ state: "pending", attempt, error: "Not yet.", leaseUntil: null })
    rests.push((job?.runAt ?? 0) - store.clock.now())
    await store.clock.advance((job?.runAt ?? 0) - store.clock.now() - 1)
    expect(await jobs.drain()).toBe(0)
    await store.clock.advance(1)
  }
  expect(rests).toEqual([5 * second, 10 * second, 20 * second])
  await jobs.drain()
  expect(await row("a")).toMatchObject({
    state: "failed",
    attempt: 4,
    error: "Not yet.",
    finishedAt: store.clock.now(),
  })
  await store.clock.advance(day)
  expect(await jobs.drain()).toBe(0)
  expect(records.map(({ level }) => level)).toEqual(["warn", "warn", "warn", "warn"])
  await store.close()
})

test("a snooze never counts as an attempt", async () => {
  const store = await openTestStore(folder())
  const kind = named({ attempts: 2 })
  let slices = 0
  const { jobs, add, row } = await startJobs(store, [runs(kind, async () => (++slices < 10 ? snooze(minute) : done))])
  await add(kind, "a")
  for (let slice = 1; slice < 10; slice++) {
    expect(await jobs.drain()).toBe(1)
    expect(await row("a")).toMatchObject({ state: "pending", attempt: 0, runAt: store.clock.now() + minute })
    await store.clock.advance(minute)
  }
  await jobs.drain()
  expect(await row("a")).toMatchObject({ state: "done", attempt: 1 })
  await store.close()
})

test("a job whose payload no longer fits its kind is cancelled unrun, and one without handler waits for its handler", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  await store.write("instance", async (unit) => {
    const job = { state: "pending" as const, runAt: 0, createdAt: 0 }
    await unit.db
      .insert(jobTable)
      .values({ ...job, id: "1", kind: kind.name, payload: { name: "a", old: true, nested: 1 } })
    await unit.db.insert(jobTable).values({ ...job, id: "2", kind: kind.name, payload: { name: 7 } })
    await unit.db.insert(jobTable).values({ ...job, id: "3", kind: "gone.kind", payload: {} })
  })
  const ran: string[] = []
  const { jobs } = await startJobs(store, [
    runs(kind, async (name) => {
      ran.push(name)
      return done
    }),
  ])
  await jobs.drain()
  expect(ran).toEqual(["a"])
  const states = await store.read.select({ id: jobTable.id, state: jobTable.state }).from(jobTable)
  expect(states).toEqual([
    { id: "1", state: "done" },
    { id: "2", state: "cancelled" },
    { id: "3", state: "pending" },
  ])
  await store.close()
})

test("while a job with a key waits or runs another is not added, afterwards it is", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const during: boolean[] = []
  const add = () =>
    store.write("instance", (unit) => started.jobs.enqueue(unit, kind, { name: "a" }, { uniqueKey: "one" }))
  const started = await startJobs(store, [
    runs(kind, async () => {
      during.push(await add())
      return done
    }),
  ])
  expect([await add(), await add()]).toEqual([true, false])
  await started.jobs.drain()
  expect(during).toEqual([false])
  expect(await add()).toBe(true)
  const other = await store.write("instance", (unit) =>
    started.jobs.enqueue(unit, kind, { name: "b" }, { uniqueKey: "other" }),
  )
  expect(other).toBe(true)
  expect((await started.rows("a")).map(({ state }) => state)).toEqual(["done", "pending"])
  await store.close()
})

test("jobs that finished over 30 days ago are deleted, others stay", async () => {
  const store = await openTestStore(folder())
  const kind = named({ attempts: 1 })
  const outcomes: Record<string, Outcome> = { done, failed: retry("No."), cancelled: cancel("No.") }
  const { jobs, add, rows } = await startJobs(store, [runs(kind, async (name) => outcomes[name] ?? snooze(365 * day))])
  await add(kind, "done", "failed", "cancelled", "waiting")
  await jobs.drain()
  await store.clock.advance(30 * day)
  await jobs.prune()
  const left = async () =>
    Promise.all(["done", "failed", "cancelled", "waiting"].map(async (name) => (await rows(name)).length))
  expect(await left()).toEqual([1, 1, 1, 1])
  await store.clock.advance(1)
  await jobs.prune()
  expect(await left()).toEqual([0, 0, 0, 1])
  await store.close()
})

import { expect, test } from "bun:test"
import { done, retry } from "../../src/jobs/define.ts"
import { second } from "../../src/kernel/clock.ts"
import { type NamedKind, named, runs, startJobs } from "../harness/jobs.ts"
import { openTestStore, scratch, type TestStore, until, writesDone } from "../harness/store.ts"

const folder = scratch()
const leaseMs = 60 * second

/** A handler whose runs end when the test says so, by the name of their job. */
function gated(kind: NamedKind) {
  const started: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gate = (name: string) => {
    const known = gates.get(name) ?? Promise.withResolvers<void>()
    gates.set(name, known)
    return known
  }
  const handler = runs(kind, async (name) => {
    started.push(name)
    await gate(name).promise
    return done
  })
  return { handler, started, release: (name: string) => gate(name).resolve() }
}

const leaseOf = async (row: Promise<{ leaseUntil: number | null } | undefined>) => (await row)?.leaseUntil

test("each kind runs up to its concurrency, and the next job when one has ended", async () => {
  const store = await openTestStore(folder())
  const [pair, single] = [named({ concurrency: 2 }), named({ concurrency: 1 }, "test.single")]
  const [pairs, singles] = [gated(pair), gated(single)]
  const { jobs, add } = await startJobs(store, [pairs.handler, singles.handler])
  await add(pair, "a", "b", "c", "d")
  await add(single, "x", "y")
  jobs.loop.start()
  await until(() => pairs.started.length === 2 && singles.started.length === 1)
  await writesDone(store)
  expect([pairs.started, singles.started]).toEqual([["a", "b"], ["x"]])
  pairs.release("b")
  await until(() => pairs.started.length === 3)
  await writesDone(store)
  expect([pairs.started, singles.started]).toEqual([["a", "b", "c"], ["x"]])
  for (const name of ["a", "c", "d"]) pairs.release(name)
  for (const name of ["x", "y"]) singles.release(name)
  await until(() => pairs.started.length === 4 && singles.started.length === 2)
  await jobs.stop(second)
  await store.close()
})

test("a project with many jobs of a kind leaves the others their turn", async () => {
  const store = await openTestStore(folder())
  const kind = named({ concurrency: 3, perProject: 2 })
  const { handler, started, release } = gated(kind)
  const { jobs } = await startJobs(store, [handler])
  const add = (projectId: string, ...names: string[]) =>
    store.write("instance", async (unit) => {
      for (const name of names) await jobs.enqueue(unit, kind, { name, projectId })
    })
  await add("many", "a", "b", "c", "d")
  jobs.loop.start()
  await until(() => started.length === 2)
  await add("few", "x")
  await until(() => started.length === 3)
  await writesDone(store)
  expect(started).toEqual(["a", "b", "x"])
  release("x")
  await writesDone(store)
  expect(started).toHaveLength(3)
  release("b")
  await until(() => started.length === 4)
  expect(started).toEqual(["a", "b", "x", "c"])
  for (const name of ["a", "c", "d"]) release(name)
  await until(() => started.length === 5)
  await jobs.stop(second)
  await store.close()
})

test("the loop runs due and added jobs by itself", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const ran: string[] = []
  const { jobs, add } = await startJobs(store, [
    runs(kind, async (name) => {
      ran.push(name)
      return done
    }),
  ])
  jobs.loop.start()
  await add(kind, "now")
  await until(() => ran.length === 1)
  await store.write("instance", (unit) =>
    jobs.enqueue(unit, kind, { name: "later" }, { runAt: unit.now + 10 * second }),
  )
  await writesDone(store)
  expect(ran).toEqual(["now"])
  for (let at = 0; at < 11 && ran.length < 2; at++) {
    await store.clock.advance(second)
    await writesDone(store)
  }
  expect(ran).toEqual(["now", "later"])
  await jobs.stop(second)
  await store.close()
})

test("while a job runs its lease is renewed, so that it is never run twice at once", async () => {
  const store = await openTestStore(folder())
  const kind = named({ leaseMs, concurrency: 4 })
  const { handler, started, release } = gated(kind)
  const { jobs, add, row } = await startJobs(store, [handler])
  await add(kind, "a")
  const drained = jobs.drain()
  await until(() => started.length === 1)
  expect(await leaseOf(row("a"))).toBe(store.clock.now() + leaseMs)
  for (let at = 0; at < 20; at++) {
    await store.clock.advance(20 * second)
    await writesDone(store)
    expect(await leaseOf(row("a"))).toBe(store.clock.now() + leaseMs)
    expect(await jobs.drain()).toBe(0)
  }
  release("a")
  await drained
  expect(started).toEqual(["a"])
  expect(await row("a")).toMatchObject({ state: "done", attempt: 1 })
  await store.close()
})

/** A store that refuses writes while it is told to. */
function fragile(store: TestStore) {
  const state = { broken: false }
  const write: TestStore["write"] = (scope, work) =>
    state.broken ? Promise.reject(new Error("The store is out of order.")) : store.write(scope, work)
  return { state, through: { ...store, write } }
}

test("a lease that could not be renewed for a while is not taken from the run that holds it", async () => {
  const store = await openTestStore(folder())
  const { state, through } = fragile(store)
  const kind = named({ leaseMs, concurrency: 4 })
  const { handler, started, release } = gated(kind)
  const { jobs, add, row, records } = await startJobs(store, [handler], { through })
  await add(kind, "a")
  const drained = jobs.drain()
  await until(() => started.length === 1)
  state.broken = true
  for (let at = 0; at < 10; at++) await store.clock.advance(20 * second)
  state.broken = false
  expect(await leaseOf(row("a"))).toBeLessThan(store.clock.now())
  expect(await jobs.drain()).toBe(0)
  expect(started).toEqual(["a"])
  await store.clock.advance(20 * second)
  await writesDone(store)
  expect(await leaseOf(row("a"))).toBe(store.clock.now() + leaseMs)
  release("a")
  await drained
  expect(await row("a")).toMatchObject({ state: "done", attempt: 1 })
  expect(records.filter(({ message }) => message === "A lease could not be renewed").length).toBeGreaterThan(5)
  await store.close()
})

test("a job whose outcome could not be stored is run again when its lease is over", async () => {
  const store = await openTestStore(folder())
  const { state, through } = fragile(store)
  const kind = named({ leaseMs })
  let ran = 0
  const handler = runs(kind, async () => {
    ran++
    state.broken = ran === 1
    return done
  })
  const { jobs, add, row, records } = await startJobs(store, [handler], { through })
  await add(kind, "a")
  await jobs.drain().catch(() => {})
  state.broken = false
  expect(await row("a")).toMatchObject({ state: "running", attempt: 1 })
  expect(records).toMatchObject([{ level: "error", message: "A job's outcome could not be stored" }])
  await store.clock.advance(leaseMs)
  expect(await jobs.drain()).toBe(0)
  await store.clock.advance(1)
  expect(await jobs.drain()).toBe(1)
  expect(await row("a")).toMatchObject({ state: "done", attempt: 2 })
  await store.close()
})

test("stopping aborts the runs, waits for them, and starts no more", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const told = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const started: string[] = []
  const { jobs, add, row } = await startJobs(store, [
    runs(kind, async (name, signal) => {
      started.push(name)
      signal.addEventListener("abort", () => told.resolve(), { once: true })
      await gate.promise
      return done
    }),
  ])
  await add(kind, "a", "b")
  jobs.loop.start()
  await until(() => started.length === 1)
  let over = false
  const stopped = jobs.stop(8 * second).then(() => {
    over = true
  })
  await told.promise
  await writesDone(store)
  expect(over).toBe(false)
  gate.resolve()
  await stopped
  expect(started).toEqual(["a"])
  expect(await row("a")).toMatchObject({ state: "done" })
  expect(await row("b")).toMatchObject({ state: "pending", attempt: 0 })
  await store.close()
})

test("a run that gives up because of the stop has not used up an attempt, one that fails has", async () => {
  const store = await openTestStore(folder())
  const kind = named({ concurrency: 2 })
  let started = 0
  const { jobs, add, row } = await startJobs(store, [
    runs(kind, async (name, signal) => {
      started++
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
      if (name === "gives up") throw signal.reason
      return retry("The far side said no.")
    }),
  ])
  await add(kind, "gives up", "fails")
  jobs.loop.start()
  await until(() => started === 2)
  await jobs.stop(second)
  expect(await row("gives up")).toMatchObject({ state: "pending", attempt: 0, runAt: store.clock.now(), error: null })
  expect(await row("fails")).toMatchObject({ state: "pending", attempt: 1, error: "The far side said no." })
  await store.close()
})

test("stopping waits no longer than it was allowed to", async () => {
  const store = await openTestStore(folder())
  const kind = named()
  const { handler, started } = gated(kind)
  const { jobs, add, row } = await startJobs(store, [handler])
  await add(kind, "a")
  jobs.loop.start()
  await until(() => started.length === 1)
  const stopped = jobs.stop(8 * second)
  await writesDone(store)
  await store.clock.advance(8 * second)
  await stopped
  expect(await row("a")).toMatchObject({ state: "running", attempt: 1 })
  await store.close()
})

import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { done } from "../../src/jobs/define.ts"
import { claimJobs, endRun, freeJobs, freeLapsed, renewLease } from "../../src/jobs/queue.ts"
import { jobTable } from "../../src/jobs/table.ts"
import { minute, second } from "../../src/kernel/clock.ts"
import type { Db } from "../../src/store/database.ts"
import { named, runs, startJobs } from "../harness/jobs.ts"
import { openTestStore, scratch, type TestStore, until } from "../harness/store.ts"

const folder = scratch()
const kind = named()
const ours = { owner: "node 1", ms: minute }
const theirs = { owner: "node 2", ms: minute }

/** A store with a due job for each id. */
async function withJobs(...ids: string[]): Promise<TestStore> {
  const store = await openTestStore(folder())
  await store.write("instance", async ({ db }) => {
    for (const id of ids)
      await db.insert(jobTable).values({ id, kind: kind.name, payload: { name: id }, runAt: 0, createdAt: 0 })
  })
  return store
}

const claim = (store: TestStore, lease: typeof ours, limit: number) =>
  store.write("instance", async (unit) => (await claimJobs(unit, kind.name, limit, lease)).map(({ id }) => id))

const stateOf = async (store: TestStore, id: string) => {
  const [row] = await store.read.select().from(jobTable).where(eq(jobTable.id, id))
  return [row?.state, row?.leaseOwner, row?.attempt]
}

test("of two concurrent claims only one gets each job", async () => {
  const store = await withJobs("a", "b", "c", "d", "e")
  const [mine, others] = await Promise.all([claim(store, ours, 3), claim(store, theirs, 3)])
  expect([mine.length, others.length]).toEqual([3, 2])
  expect([...mine, ...others].sort()).toEqual(["a", "b", "c", "d", "e"])
  expect(await claim(store, theirs, 3)).toEqual([])
  await store.close()
})

test("a claim checks the state in the update itself, not only in the search for due jobs", async () => {
  const home = folder()
  await (await openTestStore(home)).close()
  const asked: string[] = []
  const client = new Database(join(home, "mailstead.db"))
  const db: Db = drizzle(client, { logger: { logQuery: (query) => asked.push(query) } })
  await claimJobs({ db, now: 0, afterCommit: () => {} }, kind.name, 1, ours)
  client.close()
  expect(asked).toEqual([expect.stringMatching(/ in \(select .*\) and "job"."state" = 'pending'\) returning/)])
})

test("only the node that holds a lease renews it or ends the run", async () => {
  const store = await withJobs("a")
  await claim(store, ours, 1)
  const asNode = (owner: string) =>
    store.write("instance", async (unit) => [
      await renewLease(unit, "a", { owner, ms: minute }),
      await endRun(unit, "a", owner, { state: "done", error: null }),
    ])
  expect(await asNode("node 2")).toEqual([false, false])
  expect(await stateOf(store, "a")).toEqual(["running", "node 1", 1])
  expect(await asNode("node 1")).toEqual([true, true])
  expect(await stateOf(store, "a")).toEqual(["done", null, 1])
  expect(await asNode("node 1")).toEqual([false, false])
  await store.close()
})

test("a run whose job another node has taken is aborted, and its outcome does not count", async () => {
  const store = await withJobs("a")
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  const leased = named({ leaseMs: minute })
  const untilAborted = runs(leased, async (_, signal) => {
    signal.addEventListener("abort", () => abort())
    await aborted
    return done
  })
  const { jobs } = await startJobs(store, [untilAborted])
  const drained = jobs.drain()
  await until(async () => (await stateOf(store, "a"))[0] === "running")
  await store.write("instance", ({ db }) =>
    db.update(jobTable).set({ leaseOwner: "node 2" }).where(eq(jobTable.id, "a")),
  )
  await store.clock.advance(minute / 3)
  await drained
  expect(await stateOf(store, "a")).toEqual(["running", "node 2", 1])
  await store.close()
})

test("a start frees the leases of its own node and those that have lapsed, no others", async () => {
  const store = await withJobs("a", "b", "c")
  await claim(store, ours, 1)
  await claim(store, { owner: "node 2", ms: second }, 1)
  await claim(store, theirs, 1)
  await store.clock.advance(2 * second)
  await store.write("instance", (unit) => freeJobs(unit, "node 1"))
  expect(await Promise.all(["a", "b", "c"].map((id) => stateOf(store, id)))).toEqual([
    ["pending", null, 1],
    ["pending", null, 1],
    ["running", "node 2", 1],
  ])
  await store.close()
})

test("a lease that was renewed after it was found to have lapsed is not taken", async () => {
  const store = await withJobs("a")
  await claim(store, { owner: "node 2", ms: second }, 1)
  await store.clock.advance(2 * second)
  await store.write("instance", (unit) => renewLease(unit, "a", theirs))
  await store.write("instance", (unit) => freeLapsed(unit, ["a"]))
  expect(await stateOf(store, "a")).toEqual(["running", "node 2", 1])
  await store.close()
})

test("of lapsed leases only those that were asked for are freed: the process may be running the other jobs", async () => {
  const store = await withJobs("a", "b")
  await claim(store, { owner: "node 1", ms: second }, 2)
  await store.clock.advance(2 * second)
  await store.write("instance", (unit) => freeLapsed(unit, ["b"]))
  expect(await stateOf(store, "a")).toEqual(["running", "node 1", 1])
  expect(await stateOf(store, "b")).toEqual(["pending", null, 1])
  await store.close()
})

test("a node keeps its id over a restart, and two folders are two nodes", async () => {
  const home = folder()
  const first = await openTestStore(home)
  await first.close()
  const again = await openTestStore(home)
  const other = await openTestStore(folder())
  expect(again.node).toBe(first.node)
  expect(other.node).not.toBe(first.node)
  await Promise.all([again.close(), other.close()])
})

test("a node whose id was lost or damaged gets a new one; its old leases lapse", async () => {
  const home = folder()
  const first = await openTestStore(home)
  const before = await startJobs(first, [])
  await before.add(kind, "a")
  await claim(first, { owner: first.node, ms: minute }, 1)
  await first.close()
  writeFileSync(join(home, "node"), "\0\0\0")
  const store = await openTestStore(home, first.clock)
  expect(store.node).not.toBe(first.node)
  expect(readFileSync(join(home, "node"), "utf8")).toBe(store.node)
  const { jobs } = await startJobs(store, [runs(kind, async () => done)])
  expect(await jobs.drain()).toBe(0)
  await store.clock.advance(minute + second)
  expect(await jobs.drain()).toBe(1)
  await store.close()
})

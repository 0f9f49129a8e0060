import { expect, test } from "bun:test"
import { count, eq } from "drizzle-orm"
import { done } from "../../src/jobs/define.ts"
import { jobTable } from "../../src/jobs/table.ts"
import { named, runs, startJobs } from "../harness/jobs.ts"
import { noteNames, openTestStore, scratch } from "../harness/store.ts"
import { killAmidst, noteJob } from "../harness/victim.ts"

const folder = scratch()

test("after kill -9 jobs that were running run again, those that were done do not", async () => {
  const home = folder()
  await killAmidst("jobs", home, (said) => said.length === 4)
  const store = await openTestStore(home)
  const [{ running } = { running: 0 }] = await store.read
    .select({ running: count() })
    .from(jobTable)
    .where(eq(jobTable.state, "running"))
  expect(running).toBeGreaterThanOrEqual(1)
  expect(await noteNames(store.read)).toEqual(["a", "b", "c", "deadly"])
  const ran: string[] = []
  const { jobs, row } = await startJobs(store, [
    runs(noteJob, async (name) => {
      ran.push(name)
      return done
    }),
  ])
  expect(await jobs.drain()).toBe(running)
  expect(ran).toContain("deadly")
  expect(await row("deadly")).toMatchObject({ state: "done", attempt: 2 })
  await store.close()
})

test("a job that crashes its process each time is failed after its attempts", async () => {
  const home = folder()
  let store = await openTestStore(home)
  const { clock } = store
  const kind = named({ attempts: 3 })
  const first = await startJobs(store, [])
  await first.add(kind, "deadly", "harmless")
  const harmless: string[] = []
  let deaths = 0
  for (let life = 1; life <= 4; life++) {
    const died = Promise.withResolvers<void>()
    const { jobs } = await startJobs(store, [
      runs(kind, (name) => {
        if (name === "harmless") harmless.push(name)
        if (name === "harmless") return Promise.resolve(done)
        deaths++
        died.resolve()
        return new Promise(() => {})
      }),
    ])
    await Promise.race([jobs.drain(), died.promise])
    await store.close()
    store = await openTestStore(home, clock)
  }
  const { row } = await startJobs(store, [])
  expect(deaths).toBe(3)
  expect(await row("deadly")).toMatchObject({ state: "failed", error: "It was interrupted too often." })
  expect(harmless).toEqual(["harmless"])
  await store.close()
})

import { expect, test } from "bun:test"
import { inArray } from "drizzle-orm"
import { loadConfig } from "../../src/config.ts"
import type { Module } from "../../src/module.ts"
import { createRetentionJobs } from "../../src/modules/retention/jobs.ts"
import { listFreed } from "../../src/modules/retention/store.ts"
import { openFiles } from "../../src/store/files.ts"
import type { Step } from "../../src/store/slices.ts"
import { addNote, noteNames, noteTable, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

/** Deletes notes whose names begin with a letter. */
const dropNotes =
  (letter: string): Step =>
  async (unit, limit) => {
    const names = (await noteNames(unit.db)).filter((name) => name.startsWith(letter)).slice(0, limit)
    if (names.length > 0) await unit.db.delete(noteTable).where(inArray(noteTable.name, names))
    return names.length
  }

async function start(sweeps: NonNullable<Module["sweeps"]>) {
  const home = folder()
  const store = await openTestStore(home)
  await store.write("instance", async (unit) => {
    for (const letter of ["a", "b"]) for (let n = 0; n < 250; n++) await addNote(unit, `${letter}${n}`)
  })
  const { config } = loadConfig({ options: { data: home } })
  const modules = () => [{ name: "notes", actions: {}, sweeps }]
  const files = openFiles(home)
  const engine = { store, clock: store.clock, realClock: store.clock, config }
  const { handlers } = createRetentionJobs(engine, { files, modules })
  const run = (name: string, abort = new AbortController().signal) =>
    handlers.find(({ kind }) => kind.name === name)?.run({}, abort)
  const freed = async () =>
    Object.fromEntries((await listFreed(store.read, "")).map(({ name, rows }) => [name, rows])) as Record<
      string,
      number
    >
  return { store, run, freed }
}

test("a sweep works in slices, and counts what it deletes", async () => {
  const limits: number[] = []
  const step: Step = (unit, limit) => {
    limits.push(limit)
    return dropNotes("a")(unit, limit)
  }
  const { store, run, freed } = await start([{ name: "notes of a", run: (each) => each(step) }])
  expect(await run("retention.sweep")).toEqual({ is: "done" })
  expect(limits).toEqual([100, 100, 100])
  expect(await freed()).toMatchObject({ "notes of a": 250 })
  expect((await noteNames(store.read)).length).toBe(250)
  await store.close()
})

test("a sweep that fails is tried again, and does not keep others from their work", async () => {
  const failing: Step = () => Promise.reject(new Error("Not today."))
  const { store, run, freed } = await start([
    { name: "broken", run: (each) => each(failing) },
    { name: "notes of b", run: (each) => each(dropNotes("b")) },
  ])
  expect(await run("retention.sweep")).toEqual({ is: "retry", reason: "broken: Not today." })
  expect(await freed()).toMatchObject({ "notes of b": 250 })
  await store.close()
})

test("a sweep that is stopped goes on with the next run, and counts nothing twice", async () => {
  const stopping = new AbortController()
  const step: Step = async (unit, limit) => {
    unit.afterCommit(() => stopping.abort())
    return dropNotes("a")(unit, limit)
  }
  const { store, run, freed } = await start([{ name: "notes of a", run: (each) => each(step) }])
  expect(await run("retention.sweep", stopping.signal)).toEqual({ is: "snooze", ms: 0 })
  expect(await freed()).toEqual({ "notes of a": 100 })
  expect(await run("retention.sweep")).toEqual({ is: "done" })
  expect(await freed()).toMatchObject({ "notes of a": 250 })
  await store.close()
})

test("what is swept often has a job of its own", async () => {
  const { store, run, freed } = await start([
    { name: "notes of a", often: true, run: (each) => each(dropNotes("a")) },
    { name: "notes of b", run: (each) => each(dropNotes("b")) },
  ])
  await run("instance.sweep")
  expect(await freed()).toEqual({ "notes of a": 250 })
  await store.close()
})
